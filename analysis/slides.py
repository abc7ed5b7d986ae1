"""Slides beside a talk: when each was shown, what was read aloud, and which one the speech fits.

All of it is counted or ranked. Where the changes were not recorded, they are estimated from what is
said (`align`), and everything that depends on them says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pydantic import BaseModel, ConfigDict

from analysis.ports import SlideChange, TimedSlides
from analysis.results import Word
from analysis.similarity import shared_words, similarities, stems
from analysis.talk.languages import language_data
from analysis.talk.sentences import sentence_ranges
from analysis.talk.shown_slides import (
    PASSED_OVER_SECONDS,
    read_runs,
    showings,
    slide_tokens,
    tidy_changes,
    words_between,
)

_LEAST_WORDS_TO_FIT = 12
"""Fewest words with a slide that are compared with the others (rule of thumb)."""
_LEAST_SHARED = 3
"""Fewest different word stems that they share with the slide that they fit better (rule of thumb;
with one, other slides were named for a quarter of French slides in docs/lab/slides.md)."""
_NEAR_SECONDS = 1.0
"""A silence this near a change belongs to it: a hand needs a moment (rule of thumb)."""
_LEAST_SILENCE = 0.3
"""Shorter gaps between words are no silence (rule of thumb)."""


class _Values(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SlideQuote(_Values):
    """Words of a slide that were said as written, with their time."""

    text: str
    start: float
    end: float


class FitHint(_Values):
    """Another slide that words fit better: what was said, and the line of that slide."""

    said: SlideQuote
    line: str


class SlideVisit(_Values):
    """One showing of a slide: `slide` counts from 0; `silence` is the pause at its beginning."""

    slide: int
    start: float
    end: float
    silence: float | None = None
    fits_better: int | None = None
    """Slide that the words said here fit better, if meaning and shared words agree on it."""
    hint: FitHint | None = None
    """Both texts behind `fits_better`, to judge it by."""


class SlideTimes(_Values):
    """All showings of one slide together."""

    slide: int
    seconds: float
    passed_over: bool
    words: int
    """Words on the slide."""
    read: int
    """Of them, words said as written, in runs of five or more."""
    quotes: tuple[SlideQuote, ...]


class SlidesBesideTalk(_Values):
    """What was found about the slides of one take."""

    is_estimated: bool
    """Whether the changes were estimated from the words instead of recorded."""
    has_text: bool
    """Whether any slide has text; scanned slides have none, and are not compared."""
    visits: tuple[SlideVisit, ...]
    slides: tuple[SlideTimes, ...]


def compare(
    words: Sequence[Word],
    texts: Sequence[str],
    *,
    language: str,
    duration: float,
    changes: Sequence[SlideChange] | None,
) -> SlidesBesideTalk | None:
    """Return what was found about these slides, or None if no change is known or estimable.

    `texts` has the text of each slide, `changes` is None if they were not recorded.
    """
    known = None
    if changes is not None:
        known = tidy_changes(changes, slides=len(texts), duration=duration)
    shown = known if known is not None else align(words, texts, language=language)
    if not shown:
        return None
    estimated = known is None
    visits = _visits(shown, duration)
    return SlidesBesideTalk(
        is_estimated=estimated,
        has_text=any(slide_tokens(text) for text in texts),
        visits=_with_fit(
            [each if estimated else _with_silence(each, words) for each in visits],
            *(words, texts, language),
        ),
        slides=tuple(
            _times(slide, text, visits, words, estimated) for slide, text in enumerate(texts)
        ),
    )


def without_fit(
    words: Sequence[Word], slides: TimedSlides, *, duration: float
) -> SlidesBesideTalk | None:
    """Return what `compare` finds for timed slides except how words fit: no model is loaded."""
    shown = tidy_changes(slides.changes, slides=len(slides.texts), duration=duration)
    if not shown:
        return None
    visits = _visits(shown, duration)
    return SlidesBesideTalk(
        is_estimated=False,
        has_text=any(slide_tokens(text) for text in slides.texts),
        visits=tuple(_with_silence(each, words) for each in visits),
        slides=tuple(
            _times(slide, text, visits, words, estimated=False)
            for slide, text in enumerate(slides.texts)
        ),
    )


def align(
    words: Sequence[Word], texts: Sequence[str], *, language: str
) -> list[SlideChange] | None:
    """Return estimated changes, forward only; None without text on slides or in the talk.

    Each sentence gets a slide so that the sum of similarities is largest and no slide comes before
    an earlier one (monotone dynamic programming).
    """
    with_text = [slide for slide, text in enumerate(texts) if slide_tokens(text)]
    ranges = sentence_ranges(words, language_data(language)) if words else ()
    if len(with_text) < 2 or not ranges:
        return None
    said = [" ".join(word.text for word in words[first:last]) for first, last in ranges]
    rows = similarities(said, [texts[slide] for slide in with_text], language)
    path = _best_path([_centred(row) for row in rows])
    changes: list[SlideChange] = []
    for (first, _last), column in zip(ranges, path, strict=True):
        slide = with_text[column]
        if not changes or changes[-1].slide != slide:
            changes.append(SlideChange(words[first].start if changes else 0.0, slide))
    return changes


def _best_path(rows: Sequence[Sequence[float]]) -> list[int]:
    """Return a column for each row, never falling, with the largest sum."""
    best = list(rows[0])
    origins: list[list[int]] = []
    for row in rows[1:]:
        origin: list[int] = []
        top = 0
        for column, value in enumerate(best):
            top = column if value > best[top] else top
            origin.append(top)
        origins.append(origin)
        best = [best[origin[column]] + value for column, value in enumerate(row)]
    path = [max(range(len(best)), key=best.__getitem__)]
    for origin in reversed(origins):
        path.append(origin[path[-1]])
    return path[::-1]


def _centred(row: Sequence[float]) -> list[float]:
    mean = sum(row) / len(row)
    return [value - mean for value in row]


def _visits(changes: Sequence[SlideChange], duration: float) -> list[SlideVisit]:
    return [
        SlideVisit(slide=each.slide, start=each.start, end=each.end)
        for each in showings(changes, duration)
    ]


def _with_silence(visit: SlideVisit, words: Sequence[Word]) -> SlideVisit:
    """Return the visit with the silence at its beginning; 0 if somebody speaks through it."""
    before = max((word.end for word in words if word.start < visit.start), default=None)
    after = min((word.start for word in words if word.start >= visit.start), default=None)
    if before is None or after is None:
        return visit
    gaps = [
        later.start - earlier.end
        for earlier, later in pairwise(words)
        if earlier.end - _NEAR_SECONDS <= visit.start <= later.start + _NEAR_SECONDS
    ]
    longest = max(gaps, default=0.0)
    return visit.model_copy(update={"silence": longest if longest >= _LEAST_SILENCE else 0.0})


def _with_fit(
    visits: Sequence[SlideVisit], words: Sequence[Word], texts: Sequence[str], language: str
) -> tuple[SlideVisit, ...]:
    """Return the visits with the slide that their words fit better, if two measures agree."""
    said = [words_between(words, visit.start, visit.end) for visit in visits]
    long = [at for at, each in enumerate(said) if len(each) >= _LEAST_WORDS_TO_FIT]
    if not long or sum(bool(slide_tokens(text)) for text in texts) < 2:
        return tuple(visits)
    asked = [_joined(said[at]) for at in long]
    by_all = similarities(asked, texts, language)
    by_words = shared_words(asked, texts, language)
    found = list(visits)
    for at, all_of_it, in_words in zip(long, by_all, by_words, strict=True):
        own, best = found[at].slide, _top(all_of_it)
        if best == own or best != _top(in_words) or not slide_tokens(texts[own]):
            continue
        if len(_shared(_joined(said[at]), texts[best], language)) >= _LEAST_SHARED:
            hint = _hint(said[at], texts[best], language)
            found[at] = found[at].model_copy(update={"fits_better": best, "hint": hint})
    return tuple(found)


def _shared(said: str, text: str, language: str) -> set[str]:
    return set(stems(said, language)) & set(stems(text, language))


def _hint(words: Sequence[Word], text: str, language: str) -> FitHint:
    """Return the sentence and the line that share most words."""
    ranges = sentence_ranges(tuple(words), language_data(language))
    sentences = [words[first:last] for first, last in ranges] or [words]
    lines = [line.strip() for line in text.splitlines() if slide_tokens(line)]
    rows = shared_words([_joined(each) for each in sentences], lines, language)
    best = max(range(len(rows)), key=lambda at: max(rows[at]))
    return FitHint(said=_quote(sentences[best]), line=lines[_top(rows[best])])


def _joined(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


def _top(row: Sequence[float]) -> int:
    return max(range(len(row)), key=row.__getitem__)


def _times(
    slide: int,
    text: str,
    visits: Sequence[SlideVisit],
    words: Sequence[Word],
    estimated: bool,  # noqa: FBT001
) -> SlideTimes:
    own = [visit for visit in visits if visit.slide == slide]
    seconds = sum(visit.end - visit.start for visit in own)
    runs = [
        run
        for visit in own
        for run in read_runs(text, words_between(words, visit.start, visit.end))
    ]
    read = {place for run in runs for place in range(run.first, run.first + len(run.words))}
    return SlideTimes(
        slide=slide,
        seconds=round(seconds, 2),
        passed_over=bool(own) and not estimated and seconds < PASSED_OVER_SECONDS,
        words=len(slide_tokens(text)),
        read=len(read),
        quotes=tuple(_quote(run.words) for run in runs),
    )


def _quote(words: Sequence[Word]) -> SlideQuote:
    return SlideQuote(text=_joined(words), start=words[0].start, end=words[-1].end)
