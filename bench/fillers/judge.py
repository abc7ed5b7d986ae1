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
    return _central(len(counts), lambda drawn: measure([counts[index] for index in drawn]))


def less(ours: Sequence[Count], others: Sequence[Count]) -> float | None:
    """By how much F1 is better than that of another system on the same recordings; None where
    these hold none to be found."""
    if not any(one.there for one in ours):
        return None
    first, second = f1(ours), f1(others)
    return None if first is None or second is None else first - second


def interval_of_less(ours: Sequence[Count], others: Sequence[Count]) -> tuple[float, float] | None:
    """Its central 95%: what is hard in a recording is hard for both, so they are drawn together."""

    def of(drawn: Sequence[int]) -> float | None:
        return less([ours[index] for index in drawn], [others[index] for index in drawn])

    return _central(len(ours), of)


def _central(
    many: int, measure: Callable[[Sequence[int]], float | None]
) -> tuple[float, float] | None:
    if many < 3:
        return None
    random = np.random.default_rng(1)
    drawn = [measure(random.integers(0, many, many).tolist()) for _ in range(_RESAMPLES)]
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
    """P / R, and F1 with its interval, of each system; then the first one's F1 less the last's."""
    compared = f" {systems[0]} less {systems[-1]} |" if len(systems) > 1 else ""
    yield "| condition | files, minutes, fillers | " + " | ".join(systems) + f" |{compared}"
    yield "|" + " --- |" * (len(systems) + 2 + bool(compared))
    for row in rows:
        some = next(iter(row.counts.values()))
        size = f"{len(some)}, {row.minutes:.1f}, {sum(one.there for one in some)}"
        cells = " | ".join(
            cell(row.counts[name]) if name in row.counts else "–" for name in systems
        )
        last = f" {_less(row.counts[systems[0]], row.counts[systems[-1]])} |" if compared else ""
        yield f"| {row.condition} | {size} | {cells} |{last}"


def _less(ours: Sequence[Count], others: Sequence[Count]) -> str:
    value, near = less(ours, others), interval_of_less(ours, others)
    if value is None:
        return "–"
    return f"{value:+.2f}" + (f" ({near[0]:+.2f} to {near[1]:+.2f})" if near else "")


def cell(counts: Sequence[Count]) -> str:
    """`P / R, F1 (low-high)`; where there is nothing to find, how many were found all the same."""
    if not any(one.there for one in counts):
        return f"{sum(one.false for one in counts)} false"
    near = interval(counts, f1)
    said = "" if near is None else f" ({near[0]:.2f}-{near[1]:.2f})"
    return f"{_two(precision(counts))} / {_two(recall(counts))}, {_two(f1(counts))}{said}"


def _two(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
