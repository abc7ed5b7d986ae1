"""Derived moments: not named as events in a report, but implied by its events and tracks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence

from analysis.results import Event, Word
from analysis.talk.languages import language_data, plain
from analysis.talk.number_words import find_numbers
from feedback_rules.evaluate.facts import Facts, Span

LEAD_IN_SECONDS = 3.0
"""Lead-in and lead-out of playback around a moment (rule of thumb)."""
_LEAST_FACING_SECONDS = 10.0
_SILENCE_SECONDS = 0.5
"""Shortest useful pause after a sentence, as in `pauses.boundary_pause_share` (rule of thumb)."""
_LEAST_ENDS = 2
LEVEL_QUOTIENT = 0.12
"""Threshold of the rule on level pitch; rule of thumb."""
_SENTENCE_BEGINS_SECONDS = 0.5
"""Without a transcript, the latest start within a sentence at which an um still counts as before it
(rule of thumb).
"""
_EDGE_SECONDS = 0.05
_NEXT_WORD_SECONDS = 2.0
"""Latest start of the word that an um leads to (rule of thumb)."""
QUOTIENTS = "pitch.variation_quotient"


def derived(kind: str, facts: Facts) -> tuple[Event, ...]:
    """Return the moments of one kind, in time order; they are found once for all rules."""
    found = facts.derived.get(kind)
    if found is None:
        found = facts.derived[kind] = tuple(
            Event(kind=kind, start=start, end=end)
            for start, end in _FINDERS[kind](facts)
            if end > start
        )
    return found


def _facing_camera(facts: Facts) -> Iterator[Span]:
    """Yield spans between looks away, less the lead-in, so that playback shows nothing else."""
    away = [*facts.by_kind.get("look_away", ()), *facts.by_kind.get("out_of_view", ())]
    for start, end in _parts_outside(facts.talk, ((event.start, event.end) for event in away)):
        if end - start >= _LEAST_FACING_SECONDS:
            yield _without_edges(start, end)


def _run_of_sentences(facts: Facts) -> Iterator[Span]:
    """Yield runs of sentences without a silence after them, less the lead-in."""
    sentences = facts.by_kind.get("sentence", ())
    silences = [
        (event.start, event.end)
        for event in facts.by_kind.get("silent_pause", ())
        if event.end - event.start >= _SILENCE_SECONDS
    ]
    run: list[Event] = []
    for sentence in sentences:
        if run and not _runs_on(run[-1], sentence, silences):
            yield from _run_span(run)
            run = []
        run = [sentence] if _is_cut(sentence, silences) else [*run, sentence]
    yield from _run_span(run)


def _run_span(run: list[Event]) -> Iterator[Span]:
    if len(run) > _LEAST_ENDS:
        yield _without_edges(run[0].start, run[-1].end)


def _runs_on(before: Event, after: Event, silences: list[Span]) -> bool:
    is_near = after.start - before.end < _SILENCE_SECONDS
    middle = (before.end + after.start) / 2
    return is_near and not any(start <= middle <= end for start, end in silences)


def _is_cut(sentence: Event, silences: list[Span]) -> bool:
    return any(sentence.start < end and start < sentence.end for start, end in silences)


def _over_time(facts: Facts) -> Iterator[Span]:
    start, end = facts.talk
    if facts.context.time_limit is not None and start + facts.context.time_limit < end:
        yield start + facts.context.time_limit, end


def _last_third(facts: Facts) -> Iterator[Span]:
    start, end = facts.talk
    yield end - (end - start) / 3, end


def _level_window(facts: Facts) -> Iterator[Span]:
    track = facts.report.tracks.get(QUOTIENTS)
    if track is None:
        return
    for index, value in enumerate(track.values):
        if value is not None and value < LEVEL_QUOTIENT:
            middle = track.start + index * track.step
            yield max(middle - track.step / 2, 0.0), middle + track.step / 2


def _um_before_sentence(facts: Facts) -> Iterator[Span]:
    if not _sentences(facts):
        return
    inside = set(_um_inside_sentence(facts))
    yield from (um for um in _ums(facts) if um not in inside)


def _um_inside_sentence(facts: Facts) -> Iterator[Span]:
    spoken = _spoken(facts)
    for um in _ums(facts):
        around = (span for span in _sentences(facts) if span[0] < um[0] < span[1])
        if any(_has_earlier_word(start, um[0], spoken) for start, _ in around):
            yield um


def _has_earlier_word(start: float, at: float, spoken: Sequence[Word]) -> bool:
    """Return whether a word of the sentence came before; without known words, whether half a second
    passed.
    """
    if not spoken:
        return at - start > _SENTENCE_BEGINS_SECONDS
    first = bisect_left(spoken, start - _EDGE_SECONDS, key=lambda word: word.start)
    return first < len(spoken) and spoken[first].start < at


def _um_before_number(facts: Facts) -> Iterator[Span]:
    data, spoken = language_data(facts.report.language.code), _spoken(facts)
    heads = {first for first, _ in find_numbers(spoken, data)}
    for um in _ums(facts):
        after = _word_after(um, spoken)
        if after is not None and after in heads:
            yield um


def _word_after(um: Span, spoken: Sequence[Word]) -> int | None:
    """Return the index of the word that the um leads to, or None."""
    middle = (um[0] + um[1]) / 2
    at = bisect_left(spoken, middle, key=lambda word: word.start)
    is_near = at < len(spoken) and spoken[at].start - um[1] <= _NEXT_WORD_SECONDS
    return at if is_near else None


def _spoken(facts: Facts) -> tuple[Word, ...]:
    """Return the words without transcribed ums."""
    ums = language_data(facts.report.language.code).filled_pauses
    return tuple(word for word in facts.report.words if plain(word.text) not in ums)


def _ums(facts: Facts) -> tuple[Span, ...]:
    return tuple((event.start, event.end) for event in facts.by_kind.get("filled_pause", ()))


def _sentences(facts: Facts) -> tuple[Span, ...]:
    return tuple((event.start, event.end) for event in facts.by_kind.get("sentence", ()))


def _parts_outside(whole: Span, others: Iterable[Span]) -> Iterator[Span]:
    """Yield the parts of a span outside the others."""
    reached, end = whole
    for left, right in sorted(others):
        if left > reached:
            yield reached, min(left, end)
        reached = max(reached, right)
        if reached >= end:
            return
    yield reached, end


def _without_edges(start: float, end: float) -> Span:
    """Return the span without its first and last seconds, if it is long enough."""
    margin = min(LEAD_IN_SECONDS, (end - start) / 3)
    return start + margin, end - margin


_FINDERS: dict[str, Callable[[Facts], Iterator[Span]]] = {
    "facing_camera": _facing_camera,
    "run_of_sentences": _run_of_sentences,
    "over_time": _over_time,
    "last_third": _last_third,
    "level_window": _level_window,
    "um_before_sentence": _um_before_sentence,
    "um_inside_sentence": _um_inside_sentence,
    "um_before_number": _um_before_number,
}
