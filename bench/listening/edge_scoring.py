"""Matching of labelled and recognised words, and the errors of their edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.results import Word
from analysis.talk.word_matching import Times, same_words
from bench.listening.truth import FILLED_PAUSES, TimedWord

_BETWEEN, _AFTER, _BEFORE = "between two words", "after a pause or filler", "before one"
KINDS = (_BETWEEN, _AFTER, _BEFORE)
_TOUCHING_SECONDS = 0.1
"""Gap below which labelled words are adjacent, the shortest that voice activity keeps."""


@dataclass(frozen=True, slots=True)
class Edge:
    """Error of the start or end of a word in seconds, with its neighbourhood."""

    kind: str
    seconds: float


def edges_of(truth: Sequence[TimedWord], words: Sequence[Word]) -> list[Edge]:
    """Return start and end errors of the words common to both, in order."""
    reference = [word for word in truth if word.text not in FILLED_PAUSES]
    heard = [word for word in words if _bare(word.text) not in FILLED_PAUSES]
    found = []
    for row, column in _same(reference, heard):
        true, ours = reference[row], heard[column]
        after = any(_touch(other.end, true.start) for other in reference[:row])
        before = any(_touch(other.start, true.end) for other in reference[row + 1 :])
        found += [
            Edge(_BETWEEN if after else _AFTER, abs(true.start - ours.start)),
            Edge(_BETWEEN if before else _BEFORE, abs(true.end - ours.end)),
        ]
    return found


def _touch(edge: float, other: float) -> bool:
    return abs(edge - other) < _TOUCHING_SECONDS


def _same(truth: Sequence[TimedWord], heard: Sequence[Word]) -> list[tuple[int, int]]:
    """Return index pairs of common words, matched as the analysis matches two readings."""
    rows = [_bare(word.text) for word in truth]
    columns = [_bare(word.text) for word in heard]
    return same_words(rows, columns, _middles(truth), _middles(heard))


def _middles(words: Sequence[TimedWord] | Sequence[Word]) -> Times:
    return np.array([(word.start + word.end) / 2 for word in words], dtype=np.float64)


def _bare(text: str) -> str:
    return "".join(c for c in text.lower().replace("’", "'") if c.isalnum() or c == "'") or "-"
