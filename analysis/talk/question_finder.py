"""Question detection: sentences on which at least two of three signs agree.

A recogniser's question mark is a guess, so it is not enough alone; nor is a rising voice (lists
rise, and in some regions statements do). The third sign is word order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from analysis.results import Word
from analysis.talk.languages import LanguageData, is_filled_pause
from analysis.talk.phrase_patterns import find_patterns, starts_of_clauses
from analysis.talk.phrases import are_believed
from analysis.talk.pitch_contour import PitchContour, pitch_contour
from analysis.talk.talk import Talk

Sign = Literal["mark", "form", "rise"]

_RISE_SEMITONES = 2.0
"""Rise in semitones from which the last 0.3 s of voice count as rising (rule of thumb)."""
_LEAST_WORDS = 2
_MOST_BEFORE = 2
"""Words that may precede the question in its sentence: "and so"."""
_CLOSING = "\"'”’»)]"


@dataclass(frozen=True, slots=True)
class DetectedQuestion:
    """Question as a half-open range of word indices, with its signs."""

    first: int
    last: int
    signs: tuple[Sign, ...]


def find_questions(talk: Talk) -> tuple[DetectedQuestion, ...]:
    """Return every sentence with two signs of a question, from the clause in which it is asked."""
    data = talk.language_data
    tune = None if talk.sound is None else pitch_contour(talk.sound)
    lists = {"form": data.question_forms, "inversion": data.question_inversions}
    forms = {cue.first: cue.kind for cue in find_patterns(talk.words, lists, data)}
    found = [_question(talk, (first, last), forms, tune, data) for first, last in talk.sentences]
    return tuple(one for one in found if one is not None)


def _question(
    talk: Talk,
    sentence: tuple[int, int],
    forms: Mapping[int, str],
    tune: PitchContour | None,
    data: LanguageData,
) -> DetectedQuestion | None:
    first, last = sentence
    words = talk.words[first:last]
    spoken = [at for at in range(first, last) if not is_filled_pause(talk.words[at], data)]
    if len(spoken) < _LEAST_WORDS:
        return None
    has_mark = _has_mark(words)
    asked = _question_start(talk.words, spoken, forms, data, has_mark=has_mark)
    rise = None if tune is None else tune.final_rise(words[0].start, words[-1].end)
    found: dict[Sign, bool] = {
        "mark": has_mark,
        "form": asked is not None,
        "rise": rise is not None and rise >= _RISE_SEMITONES,
    }
    signs = tuple(sign for sign, is_there in found.items() if is_there)
    start = first if asked is None else asked
    is_believed = are_believed([talk.words[at] for at in spoken if at >= start])
    return (
        DetectedQuestion(start, spoken[-1] + 1, signs) if len(signs) >= 2 and is_believed else None
    )


def _has_mark(words: Sequence[Word]) -> bool:
    return words[-1].text.rstrip(_CLOSING).rstrip().endswith("?")


def _question_start(
    words: Sequence[Word],
    spoken: Sequence[int],
    forms: Mapping[int, str],
    data: LanguageData,
    *,
    has_mark: bool,
) -> int | None:
    """Return the start of the question: the last clause that opens like one; None without one.

    Without a question mark only interrogative word order counts, and only at the start of the
    sentence: "which is", "what is new is" and "so has everyone" are not questions.
    """
    starts = [spoken[place] for place in starts_of_clauses(words, spoken, data)]
    if has_mark:
        asking = [start for start in starts if start in forms]
        return asking[-1] if asking else None
    opening = [start for start in starts if start - spoken[0] <= _MOST_BEFORE]
    return next((start for start in opening if forms.get(start) == "inversion"), None)
