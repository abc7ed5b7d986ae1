"""What another reading of the same speech says of the words that both wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from analysis.results import Word
from analysis.talk.languages import LanguageData, is_filled_pause, plain
from analysis.talk.word_matching import Times, same_words

_APART_SECONDS = 1.0
"""What one reading leaves between the spans of a word and of its counterpart at most: attention is
seldom off so far, and what is further apart was more likely said twice (rule of thumb)."""


def heard_again(
    words: Sequence[Word], readings: Sequence[Sequence[Word]], data: LanguageData
) -> Mapping[int, Word]:
    """For each word (by its place) the same word as a further reading's attention has it.

    A reading primed with fillers gives an um a span of its own, which the plain one leaves to the
    word behind it; so the two err in different places. Each of `readings` is one window.
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
    """Seconds between two spans; none where they touch."""
    return max(0.0, word.start - other.end, other.start - word.end)
