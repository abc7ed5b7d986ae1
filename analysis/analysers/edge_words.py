"""Words at the edges of a talk: the opening and closing are quoted here and judged by people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analysis.ports import Measured, Span
from analysis.results import Event, Measurement, Skipped, in_time_order
from analysis.talk.languages import plain
from analysis.talk.number_words import find_numbers, is_large, is_striking
from analysis.talk.phrase_patterns import find_patterns
from analysis.talk.punctuation import no_punctuation
from analysis.talk.question_finder import find_questions
from analysis.talk.talk import Talk

FORMULAS = "structure.closing_formulas"
HOUSEKEEPING = "structure.opening_housekeeping"
OPENERS = "structure.opening_questions_and_numbers"

_FIRST_SECONDS, _LAST_SECONDS = 20.0, 15.0
_LEAST_SECONDS = 45.0
"""Shortest take with an opening and a closing; shorter takes are one passage (rule of thumb)."""
_NOT_OF_THE_TALK = ("housekeeping", "apology")
_INTO_THE_TALK = ("question", "number")


class EdgeWords:
    """Analyser of the words in the first 20 s and the last 15 s."""

    name = "edge_words"
    provides: tuple[str, ...] = (FORMULAS, HOUSEKEEPING, OPENERS)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        reason = (
            talk.no_text
            or talk.caution("speakers")
            or talk.too_short(needed=_LEAST_SECONDS, what="edges")
            or no_punctuation(talk)
        )
        if reason is not None:
            return Measured.skipping(self.provides, reason)
        others = talk.caution("first_voice"), talk.caution("last_voice")
        opening = [] if others[0] else _opening(talk)
        closing = [] if others[1] else _closing(talk)
        kinds = [event.detail["kind"] for event in opening]
        counted = {
            FORMULAS: others[1] or _count(talk, len(closing)),
            HOUSEKEEPING: others[0] or _count(talk, sum(k in _NOT_OF_THE_TALK for k in kinds)),
            OPENERS: others[0] or _count(talk, sum(kind in _INTO_THE_TALK for kind in kinds)),
        }
        return Measured(
            measurements={k: each for k, each in counted.items() if isinstance(each, Measurement)},
            skipped={k: each for k, each in counted.items() if isinstance(each, Skipped)},
            events=in_time_order([*opening, *closing]),
        )


def _count(talk: Talk, count: int) -> Measurement:
    return talk.of_text(count, "count", n=count)


def _closing(talk: Talk) -> list[Event]:
    """Return closing formulas ("that's all") in the last 15 s."""
    end = talk.window[1]
    formulas = {"formula": talk.language_data.closing_formulas}
    return _phrases(talk, formulas, "closing_formula", (end - _LAST_SECONDS, end))


def _opening(talk: Talk) -> list[Event]:
    start = talk.window[0]
    within = (start, start + _FIRST_SECONDS)
    lists = {str(kind): each for kind, each in talk.language_data.opening_words.items()}
    found = _phrases(talk, lists, "opening_words", within)
    asked = [
        _event(talk, "opening_words", (one.first, min(one.first + 6, one.last)), "question")
        for one in find_questions(talk)
        if _lies_in((talk.words[one.first].start, talk.words[one.last - 1].end), within)
        and not _is_taken(talk.words[one.first].start, found)
    ]
    told = [
        _event(talk, "opening_words", one, "number")
        for one in find_numbers(talk.words, talk.language_data)
        if _lies_in((talk.words[one[0]].start, talk.words[one[1] - 1].end), within)
        and is_large(talk.words[one[0] : one[1]], talk.language_data)
        and is_striking(talk.words, one, _sentence_at(talk, one[0]), talk.language_data)
    ]
    return [*found, *asked, *told]


def _sentence_at(talk: Talk, index: int) -> tuple[int, int]:
    whole = 0, len(talk.words)
    return next((each for each in talk.sentences if each[0] <= index < each[1]), whole)


def _is_taken(start: float, found: Sequence[Event]) -> bool:
    """Return whether an event covers this time: "can you hear me" is not a question of the talk."""
    return any(event.start <= start < event.end for event in found)


def _phrases(
    talk: Talk, lists: Mapping[str, tuple[str, ...]], kind: str, within: Span
) -> list[Event]:
    return [
        _event(talk, kind, (cue.first, cue.last), cue.kind)
        for cue in find_patterns(talk.words, lists, talk.language_data)
        if _lies_in((talk.words[cue.first].start, talk.words[cue.last - 1].end), within)
    ]


def _lies_in(span: Span, within: Span) -> bool:
    return span[0] >= within[0] and span[1] <= within[1]


def _event(talk: Talk, kind: str, at: tuple[int, int], of: str) -> Event:
    words = talk.words[at[0] : at[1]]
    return Event(
        kind=kind,
        start=words[0].start,
        end=words[-1].end,
        probability=min(word.probability for word in words),
        label=" ".join(plain(word.text) for word in words),
        detail={"kind": of},
    )
