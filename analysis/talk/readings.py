"""Repeated readings: the same words in another reading of the same speech."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from analysis.results import Word
from analysis.talk.languages import LanguageData, is_filled_pause, plain
from analysis.talk.word_matching import Times, same_words

_APART_SECONDS = 1.0
"""Largest distance between the spans of a word in two readings: attention is rarely off by more,
and more distant words were more likely said twice (rule of thumb).
"""


def matching_readings(
    words: Sequence[Word], readings: Sequence[Sequence[Word]], data: LanguageData
) -> Mapping[int, Word]:
    """Return the same word in another reading, by index of the word.

    A reading primed with fillers gives an um its own span, which the plain one includes in the next
    word, so their errors differ. Each of `readings` is one window.
    """
    found: dict[int, Word] = {}
    for reading in readings:
        if not reading:
            continue
        first, last = reading[0].start - _APART_SECONDS, reading[-1].end + _APART_SECONDS
        near = [index for index, word in enumerate(words) if first <= word.start <= last]
        spoken = [word for word in reading if not is_filled_pause(word, data)]
        plainly = [words[index] for index in near]
        same = same_words(_texts(plainly), _texts(spoken), _middles(plainly), _middles(spoken))
        for ours, theirs in same:
            if _apart(plainly[ours], spoken[theirs]) <= _APART_SECONDS:
                found[near[ours]] = spoken[theirs]
    return found


def _texts(words: Sequence[Word]) -> list[str]:
    return [plain(word.text) for word in words]


def _middles(words: Sequence[Word]) -> Times:
    return np.array([(word.start + word.end) / 2 for word in words], dtype=np.float64)


def _apart(word: Word, other: Word) -> float:
    """Return the seconds between two spans; 0 if they touch."""
    return max(0.0, word.start - other.end, other.start - word.end)
