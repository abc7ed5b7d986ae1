"""Which words of the labels and of a report are the same, and how far their edges are apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.results import Word
from bench.listening.truth import FILLED_PAUSES, TimedWord

_BETWEEN, _AFTER, _BEFORE = "between two words", "after a pause or filler", "before one"
KINDS = (_BETWEEN, _AFTER, _BEFORE)
_TOUCHING_SECONDS = 0.1
"""Labelled words less apart than the shortest gap that voice activity keeps follow each other."""


@dataclass(frozen=True, slots=True)
class Edge:
    """How far the start or end of a word is off, in seconds, and what lies at it."""

    kind: str
    seconds: float


def edges_of(truth: Sequence[TimedWord], words: Sequence[Word]) -> list[Edge]:
    """Start and end of the words that both have in the same order."""
    reference = [word for word in truth if word.text not in FILLED_PAUSES]
    heard = [word for word in words if _bare(word.text) not in FILLED_PAUSES]
    found = []
    for true, ours in _same(reference, heard):
        after = any(abs(word.end - true.start) < _TOUCHING_SECONDS for word in reference)
        before = any(abs(word.start - true.end) < _TOUCHING_SECONDS for word in reference)
        found += [
            Edge(_BETWEEN if after else _AFTER, abs(true.start - ours.start)),
            Edge(_BETWEEN if before else _BEFORE, abs(true.end - ours.end)),
        ]
    return found


def _same(truth: Sequence[TimedWord], heard: Sequence[Word]) -> list[tuple[TimedWord, Word]]:
    """The words that both have: with as few word errors as can be, and of those ways the nearest.

    Of "he threw, he threw it" a reading that wrote "he threw it" left out either; words alone
    cannot tell which. Word errors are counted as ever, times decide among equals (as the option
    for time-mediated alignment of NIST's sclite does).
    """
    rows = [_bare(word.text) for word in truth]
    columns = [_bare(word.text) for word in heard]
    apart = np.abs(np.subtract.outer(_middles(truth), _middles(heard)))
    # Each cell: word errors so far, then seconds apart; a tuple compares in that order.
    best = [[(column, 0.0) for column in range(len(columns) + 1)]]
    for row, text in enumerate(rows):
        line = [(row + 1, 0.0)]
        for column, other in enumerate(columns):
            errors_so_far, seconds = best[row][column]
            both = (errors_so_far + (text != other), seconds + float(apart[row, column]))
            left_out, invented = best[row][column + 1], line[column]
            line.append(min(both, (left_out[0] + 1, left_out[1]), (invented[0] + 1, invented[1])))
        best.append(line)
    steps = list(_steps(best, apart, rows, columns))[::-1]
    return [(truth[row], heard[column]) for row, column in steps if rows[row] == columns[column]]


def _steps(
    best: Sequence[Sequence[tuple[int, float]]],
    apart: NDArray[np.float64],
    rows: Sequence[str],
    columns: Sequence[str],
) -> Iterator[tuple[int, int]]:
    """Row and column of each pair along the cheapest path, the last first."""
    row, column = len(rows), len(columns)
    while row and column:
        before = best[row - 1][column - 1]
        is_other = rows[row - 1] != columns[column - 1]
        step = (before[0] + is_other, before[1] + float(apart[row - 1, column - 1]))
        if best[row][column] == step:
            row, column = row - 1, column - 1
            yield row, column
        elif best[row][column] == (best[row - 1][column][0] + 1, best[row - 1][column][1]):
            row -= 1
        else:
            column -= 1


def _middles(words: Sequence[TimedWord] | Sequence[Word]) -> NDArray[np.float64]:
    return np.array([(word.start + word.end) / 2 for word in words], dtype=np.float64)


def _bare(text: str) -> str:
    return "".join(c for c in text.lower().replace("’", "'") if c.isalnum() or c == "'") or "-"
