"""Application of corrections to a report: words and fillers first, then the
measures based on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from analysis.corrections.carrying import propagate
from analysis.corrections.looking import without_look_aways
from analysis.filler_accuracy import reader_of
from analysis.ports import Options, Sound, Span
from analysis.registry import ANALYSERS
from analysis.results import Event, Report, Word
from analysis.talk.languages import LanguageData, is_filled_pause, language_data, plain
from analysis.talk.sentences import CLAUSE_END, sentence_ranges
from analysis.talk.talk import Talk
from analysis.talk.words import usual_seconds

FILLERS = ("filled_pause", "filler_word")
SAME_PLACE_SECONDS = 0.05
"""Tolerance of the same position; reports round to a millisecond, and two events of a kind are
never this close.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """Correction of one item at a position, in seconds of the recording.

    `not_a_filler`: the event of kind `event` is wrong. `not_a_look_away`: the speaker faced the
    camera. `word`: the word was `after` instead of `before`, or was not said if `after` is empty.
    `missed_filler`: the filler `after` was said here and not detected. `meant_pause`: the speaker
    wanted this silence. A correction whose item is not in the report (after a new analysis) has no
    effect.
    """

    kind: Literal["not_a_filler", "not_a_look_away", "word", "missed_filler", "meant_pause"]
    start: float
    end: float
    event: str = ""
    before: str = ""
    after: str = ""


_READ = (
    "pace",
    "pauses",
    "runs",
    "fillers",
    "wording",
    "signposts",
    "edge_words",
    "questions",
    "number_heaps",
    "echoes",
)
"""Analysers based on words and fillers, which need no sound beyond the spans of speech."""
_READERS = tuple(each for each in ANALYSERS if each.name in _READ)

_NO_SERIES = np.zeros(0, dtype=np.float32)
_UNHEARD = Sound(
    step=0.01, f0_hz=_NO_SERIES, level_db=_NO_SERIES, flux=_NO_SERIES, clipped=_NO_SERIES
)
"""Empty sound series for analysers that only check that sound was analysed."""


def with_corrections(
    report: Report, corrections: Iterable[Correction], *, left_out: tuple[Span, ...] = ()
) -> Report:
    """Return the report with the corrections applied; the same report without corrections.

    `left_out` are the excluded parts of the recording, as in its options.
    """
    made = sorted(corrections, key=lambda each: (each.start, each.kind, each.after))
    data = language_data(report.language.code)
    words, fillers = _words(report, made, data)
    struck = tuple((each.start, each.end) for each in made if each.event == "filler_word")
    meant = tuple((each.start, each.end) for each in made if each.kind == "meant_pause")
    before = _talk(report, report.words, report.events_of("filled_pause"), left_out)
    after = replace(_talk(report, words, fillers, left_out), no_fillers=struck, meant_pauses=meant)
    found = report
    changed = (before.words, before.filled_pauses) != (after.words, after.filled_pauses)
    if changed or struck or meant:
        for analyser in _READERS:
            found = propagate(
                found, analyser.provides, analyser.measure(before), analyser.measure(after)
            )
        found = found.model_copy(update={"words": after.words})
    return without_look_aways(found, _wrong_look_aways(report, made))


def _talk(
    report: Report,
    words: Sequence[Word],
    fillers: Sequence[Event],
    left_out: tuple[Span, ...],
) -> Talk:
    """Rebuild the analysers' input from a report: everything but the series
    of sound and picture.
    """
    data = language_data(report.language.code)
    return Talk(
        media=report.media,
        options=Options(language=report.language.code, left_out=left_out),
        language=report.language,
        speech=report.speech,
        words=tuple(words),
        filled_pauses=tuple(fillers),
        reader=reader_of(report.models),
        sentences=sentence_ranges(words, data),
        sound=_UNHEARD,
    )


def _is_at(start: float, correction: Correction) -> bool:
    return abs(start - correction.start) <= SAME_PLACE_SECONDS


def _wrong_look_aways(report: Report, made: Sequence[Correction]) -> tuple[Event, ...]:
    wrong = [each for each in made if each.kind == "not_a_look_away"]
    return tuple(
        event
        for event in report.events_of("look_away")
        if any(_is_at(event.start, each) for each in wrong)
    )


def _words(
    report: Report, made: Sequence[Correction], data: LanguageData
) -> tuple[tuple[Word, ...], tuple[Event, ...]]:
    """Return the corrected words and filled pauses."""
    fillers = [
        event
        for event in report.events_of("filled_pause")
        if not any(each.event == event.kind and _is_at(event.start, each) for each in made)
    ]
    gone = [event for event in report.events_of("filled_pause") if event not in fillers]
    words: list[Word] = []
    for word in report.words:
        if is_filled_pause(word, data) and _lies_in(word, gone):
            continue
        correction = next(
            (
                c
                for c in made
                if c.kind == "word" and _is_at(word.start, c) and c.before == word.text
            ),
            None,
        )
        if correction is None:
            words.append(word)
            continue
        said = replacement_words(word, correction.after, data)
        words += said
        fillers = [event for event in fillers if not _lies_in(word, [event])]
        fillers += [_as_filler(each) for each in said if is_filled_pause(each, data)]
    missed = [_missed(each) for each in made if each.kind == "missed_filler"]
    fillers += map(_as_filler, missed)
    return (
        tuple(sorted([*words, *missed], key=lambda word: word.start)),
        tuple(sorted(fillers, key=lambda event: event.start)),
    )


def _missed(correction: Correction) -> Word:
    return Word(text=correction.after, start=correction.start, end=correction.end, probability=1.0)


def _lies_in(word: Word, events: Iterable[Event]) -> bool:
    middle = (word.start + word.end) / 2
    return any(event.start <= middle < event.end for event in events)


def _as_filler(word: Word) -> Event:
    return Event(
        kind="filled_pause",
        start=word.start,
        end=word.end,
        probability=1.0,
        label=plain(word.text),
        detail={"source": "person"},
    )


def replacement_words(word: Word, text: str, data: LanguageData) -> list[Word]:
    """Return the words of `text` within the time of `word`, each in proportion to its usual length.

    The punctuation after the word is kept unless the text has its own.
    """
    parts = text.split()
    if not parts:
        return []
    bare = word.text.rstrip(CLAUSE_END)
    if parts[-1].rstrip(CLAUSE_END) == parts[-1]:
        parts[-1] += word.text[len(bare) :]
    usual = [max(usual_seconds(part, data.code), 0.01) for part in parts]
    each_second = (word.end - word.start) / sum(usual)
    found, at = [], word.start
    for part, seconds in zip(parts, usual, strict=True):
        end = round(at + seconds * each_second, 3)
        found.append(Word(text=part, start=at, end=end, probability=1.0))
        at = end
    found[-1] = found[-1].model_copy(update={"end": word.end})
    return found
