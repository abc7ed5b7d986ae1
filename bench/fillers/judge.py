"""`python -m bench fillers`: filled pauses by condition, ours beside plain and prompted Whisper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bench.fillers.matching import Count

_RESAMPLES = 1000
Measure = Callable[[Sequence[Count]], float | None]


def precision(counts: Sequence[Count]) -> float | None:
    """Share of what was found that is one."""
    hits = sum(one.hits for one in counts)
    found = hits + sum(one.false for one in counts)
    return hits / found if found else None


def recall(counts: Sequence[Count]) -> float | None:
    """Share of those there are that was found."""
    hits = sum(one.hits for one in counts)
    there = hits + sum(one.missed for one in counts)
    return hits / there if there else None


def f1(counts: Sequence[Count]) -> float | None:
    """Harmonic mean of the two."""
    hits = sum(one.hits for one in counts)
    others = sum(one.false + one.missed for one in counts)
    return 2 * hits / (2 * hits + others) if hits + others else None


def interval(counts: Sequence[Count], measure: Measure) -> tuple[float, float] | None:
    """Central 95% when recordings are drawn anew."""
    if len(counts) < 3:
        return None
    random = np.random.default_rng(1)
    drawn = [
        measure([counts[index] for index in random.integers(0, len(counts), len(counts))])
        for _ in range(_RESAMPLES)
    ]
    values = [value for value in drawn if value is not None]
    if len(values) < _RESAMPLES / 2:
        return None
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)


@dataclass(frozen=True, slots=True)
class Row:
    """One condition, with the counts of each system over the same recordings."""

    condition: str
    counts: Mapping[str, Sequence[Count]]
    minutes: float


def table(rows: Sequence[Row], systems: Sequence[str]) -> Iterator[str]:
    """P / R, and F1 with its interval, of each system."""
    yield "| condition | files, minutes, fillers | " + " | ".join(systems) + " |"
    yield "|" + " --- |" * (len(systems) + 2)
    for row in rows:
        some = next(iter(row.counts.values()))
        size = f"{len(some)}, {row.minutes:.1f}, {sum(one.there for one in some)}"
        cells = " | ".join(
            cell(row.counts[name]) if name in row.counts else "–" for name in systems
        )
        yield f"| {row.condition} | {size} | {cells} |"


def cell(counts: Sequence[Count]) -> str:
    """`P / R, F1 (low-high)`; where there is nothing to find, how many were found all the same."""
    if not any(one.there for one in counts):
        return f"{sum(one.false for one in counts)} false"
    near = interval(counts, f1)
    said = "" if near is None else f" ({near[0]:.2f}-{near[1]:.2f})"
    return f"{_two(precision(counts))} / {_two(recall(counts))}, {_two(f1(counts))}{said}"


def _two(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
