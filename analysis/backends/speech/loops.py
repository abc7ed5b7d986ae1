"""Repetition loops: text repeated by a stuck recogniser, distinguished from a speaker's
repetitions.

People who rehearse repeat the same line, and the text alone cannot distinguish that from a loop.
The sound can: spoken words take time.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from analysis.backends.speech.reading import Reading
from analysis.ports import Segment
from analysis.results import Word
from analysis.talk.languages import plain
from analysis.talk.syllables import count_syllables

HIGHEST_COMPRESSION = 2.4
"""Whisper's own limit, above which a text repeats itself, spoken or not."""
_LONGEST_LOOP, _LONGEST_LOOPED_WORDS = 3, 15
"""Repetitions in a row above which the recogniser may be stuck; the sound then decides."""
_LONGEST_LOOP_INSIDE, _MOST_A_SECOND = 5, 10
"""Repetitions inside a word. A digit, a letter or "no" may be repeated this often, as in 0-0-0-0-0,
but nobody says more than ten syllables per second. Rules of thumb.
"""
_LEAST_A_SECOND, _MOST_REPEATED_A_SECOND = 1.5, 8.0
"""Syllables per second of voice: a repetition was spoken if it fills the detected voice and is no
faster than speech. Read speech has 3 to 6 (rules of thumb).
"""
_LOWEST_LOG_PROBABILITY, HIGHEST_NO_SPEECH = -0.5, 0.6
"""Limits of the recogniser's confidence. Lines really said three to six times have log
probabilities of -0.05 to -0.3, in a synthetic voice down to -0.47, and a no-speech probability
of up to 0.47; steady vowels have 0.7 and more, speech played backwards 0.62 (rules of thumb).
"""
_BETWEEN_PARTS = re.compile(r"[-–—]+")


def is_stuck(reading: Reading) -> bool:
    """Return whether a whole reading repeats itself ("euh, euh, euh, ...")."""
    return reading.compression_ratio > HIGHEST_COMPRESSION


def has_loop(reading: Reading) -> bool:
    """Return whether the reading repeats itself as a whole, or contains a loop of words."""
    return is_stuck(reading) or _loop_in([plain(word) for word in reading.text.split()]) is not None


def was_spoken(segment: Segment, *, voice: float, language: str) -> bool:
    """Return whether repeated words fill the `voice` (seconds) detected there."""
    if segment.average_log_probability < _LOWEST_LOG_PROBABILITY:
        return False
    if segment.no_speech_probability > HIGHEST_NO_SPEECH:
        return False
    syllables = count_syllables(segment.words, language)
    return _LEAST_A_SECOND * voice <= syllables <= _MOST_REPEATED_A_SECOND * voice


def without_loops(words: tuple[Word, ...], language: str) -> tuple[Word, ...]:
    """Return the words without a loop that nobody could say in that time."""
    words = tuple(word for word in words if not _is_a_loop(word))
    loop = _loop_in([plain(word.text) for word in words])
    if loop is None:
        return words
    first, width, repeats = loop
    looped = words[first : first + repeats * width]
    seconds = looped[-1].end - looped[0].start
    if count_syllables(looped, language) <= _MOST_REPEATED_A_SECOND * seconds:
        return words
    return words[: first + width]


def _loop_in(texts: Sequence[str]) -> tuple[int, int, int] | None:
    """Return the first index, width and count of a loop; None if there is none."""
    for width in range(2, _LONGEST_LOOPED_WORDS + 1):
        for first in range(len(texts) - width * (_LONGEST_LOOP + 1) + 1):
            unit = texts[first : first + width]
            repeats = 1
            while texts[first + repeats * width : first + (repeats + 1) * width] == unit:
                repeats += 1
            if repeats > _LONGEST_LOOP and len(set(unit)) > 1:
                return first, width, repeats
    return None


def _is_a_loop(word: Word) -> bool:
    """Return whether a word repeats itself faster than speech: 1-1-1-1-1-1-1."""
    parts = [part for part in _BETWEEN_PARTS.split(plain(word.text)) if part]
    longest = max((len(list(same)) for _part, same in itertools.groupby(parts)), default=0)
    seconds = word.end - word.start
    return longest > _LONGEST_LOOP_INSIDE and len(parts) > _MOST_A_SECOND * seconds
