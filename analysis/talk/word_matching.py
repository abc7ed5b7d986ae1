"""Which words of two texts of the same speech are the same: few word errors, then near in time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Times = NDArray[np.float64]
"""Seconds, one for each word."""


def same_words(
    rows: Sequence[str], columns: Sequence[str], when: Times, other: Times
) -> list[tuple[int, int]]:
    """The places of the words that both have: as few word errors as can be, then the nearest.

    Of "he threw, he threw it" a reading that wrote "he threw it" left out either; words alone
    cannot tell which. Word errors are counted as ever, times decide among equals (as the option
    for time-mediated alignment of NIST's sclite does).
    """
    apart = np.abs(np.subtract.outer(when, other)).tolist()
    # Each cell: word errors so far, then seconds apart; a tuple compares in that order.
    best = [[(column, 0.0) for column in range(len(columns) + 1)]]
    for row, text in enumerate(rows):
        line = [(row + 1, 0.0)]
        for column, word in enumerate(columns):
            errors_so_far, seconds = best[row][column]
            both = (errors_so_far + (text != word), seconds + apart[row][column])
            left_out, invented = best[row][column + 1], line[column]
            line.append(min(both, (left_out[0] + 1, left_out[1]), (invented[0] + 1, invented[1])))
        best.append(line)
    steps = list(_steps(best, apart, rows, columns))[::-1]
    return [(row, column) for row, column in steps if rows[row] == columns[column]]


def _steps(
    best: Sequence[Sequence[tuple[int, float]]],
    apart: Sequence[Sequence[float]],
    rows: Sequence[str],
    columns: Sequence[str],
) -> Iterator[tuple[int, int]]:
    """Row and column of each pair along the cheapest path, the last first."""
    row, column = len(rows), len(columns)
    while row and column:
        before = best[row - 1][column - 1]
        is_other = rows[row - 1] != columns[column - 1]
        step = (before[0] + is_other, before[1] + apart[row - 1][column - 1])
        if best[row][column] == step:
            row, column = row - 1, column - 1
            yield row, column
        elif best[row][column] == (best[row - 1][column][0] + 1, best[row - 1][column][1]):
            row -= 1
        else:
            column -= 1
