"""Word matching between two texts of the same speech: fewest word errors, then nearest in time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Times = NDArray[np.float64]
"""Times in seconds, one per word."""


def same_words(
    rows: Sequence[str], columns: Sequence[str], when: Times, other: Times
) -> list[tuple[int, int]]:
    """Return index pairs of the matching words: fewest word errors, then the smallest time
    differences.

    For "he threw, he threw it", a reading "he threw it" may have omitted either; words alone cannot
    tell which. Word errors are counted as usual, and times decide between equals (like the option
    for time-mediated alignment of NIST's sclite).
    """
    apart = np.abs(np.subtract.outer(when, other)).tolist()
    # Each cell: word errors so far, then seconds apart; tuples compare in that order.
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
    """Yield row and column of each pair along the cheapest path, the last first."""
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
