"""Precision, recall and F1 of hits, false alarms and misses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Count:
    """Hits, false alarms and misses of one system in one recording."""

    hits: int = 0
    false: int = 0
    missed: int = 0

    @property
    def there(self) -> int:
        return self.hits + self.missed


def precision(counts: Sequence[Count]) -> float | None:
    """Return hits divided by everything found; None if nothing was found."""
    hits = sum(one.hits for one in counts)
    found = hits + sum(one.false for one in counts)
    return hits / found if found else None


def recall(counts: Sequence[Count]) -> float | None:
    """Return hits divided by everything present; None if nothing is present."""
    there = sum(one.there for one in counts)
    return sum(one.hits for one in counts) / there if there else None


def f1(counts: Sequence[Count]) -> float | None:
    """Return the harmonic mean of precision and recall; None without hits,
    false alarms and misses.
    """
    hits = sum(one.hits for one in counts)
    others = sum(one.false + one.missed for one in counts)
    return 2 * hits / (2 * hits + others) if hits + others else None
