"""Table of filled pauses by condition: ours, plain and prompted Whisper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.counts import Count, f1, precision, recall
from bench.intervals import resampled


def less(ours: Sequence[Count], others: Sequence[Count]) -> float | None:
    """Return the F1 of `ours` minus that of `others` on the same
    recordings; None without fillers.
    """
    if not any(one.there for one in ours):
        return None
    first, second = f1(ours), f1(others)
    return None if first is None or second is None else first - second


def interval_of_less(ours: Sequence[Count], others: Sequence[Count]) -> tuple[float, float] | None:
    """Return the central 95% of the F1 difference; the recordings are resampled in pairs, since
    difficulty is shared.
    """

    def of(pairs: Sequence[tuple[Count, Count]]) -> float | None:
        return less([one for one, _ in pairs], [other for _, other in pairs])

    return resampled(list(zip(ours, others, strict=True)), of)


@dataclass(frozen=True, slots=True)
class ConditionRow:
    """Condition with the counts of each system over the same recordings."""

    condition: str
    counts: Mapping[str, Sequence[Count]]
    minutes: float


def table(rows: Sequence[ConditionRow], systems: Sequence[str]) -> Iterator[str]:
    """Yield precision, recall and F1 with interval for each system, and the F1 difference of the
    first and last.
    """
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
    """Return `P / R, F1 (low-high)`, or the number of false alarms if there is no filler."""
    if not any(one.there for one in counts):
        return f"{sum(one.false for one in counts)} false"
    near = resampled(counts, f1)
    said = "" if near is None else f" ({near[0]:.2f}-{near[1]:.2f})"
    return f"{_two(precision(counts))} / {_two(recall(counts))}, {_two(f1(counts))}{said}"


def _two(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
