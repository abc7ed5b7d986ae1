"""What a stuck recogniser repeats, which nobody said."""

from __future__ import annotations

import itertools
import re

from analysis.backends.speech.reading import Reading
from analysis.results import Word
from analysis.talk.languages import plain

HIGHEST_COMPRESSION = 2.4
"""Whisper's own limit."""
_LONGEST_LOOP, _LONGEST_LOOPED_WORDS = 3, 15
"""The same words more often than this in a row are the recogniser's, not the speaker's."""
_LONGEST_LOOP_INSIDE, _MOST_PARTS_A_SECOND = 5, 10
"""So often, as in 0-0-0-0-0, somebody may spell out the same digit or letter, or say no; but nobody
says more than ten syllables a second. Rules of thumb."""
_BETWEEN_PARTS = re.compile(r"[-–—]+")


def is_stuck(reading: Reading) -> bool:
    """Whether a whole reading repeats itself ("euh, euh, euh, ...")."""
    return reading.compression_ratio > HIGHEST_COMPRESSION


def without_loops(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Cuts off what a stuck recogniser repeats: the same words, or a sentence, over and over."""
    words = tuple(word for word in words if not _is_a_loop(word))
    texts = [plain(word.text) for word in words]
    for width in range(2, _LONGEST_LOOPED_WORDS + 1):
        for first in range(len(texts) - width * (_LONGEST_LOOP + 1) + 1):
            unit = texts[first : first + width]
            repeats = 1
            while texts[first + repeats * width : first + (repeats + 1) * width] == unit:
                repeats += 1
            if repeats > _LONGEST_LOOP and len(set(unit)) > 1:
                return words[: first + width]
    return words


def _is_a_loop(word: Word) -> bool:
    """Whether it repeats itself faster than anybody could: 1-1-1-1-1-1-1."""
    parts = [part for part in _BETWEEN_PARTS.split(plain(word.text)) if part]
    longest = max((len(list(same)) for _part, same in itertools.groupby(parts)), default=0)
    seconds = word.end - word.start
    return longest > _LONGEST_LOOP_INSIDE and len(parts) > _MOST_PARTS_A_SECOND * seconds
