"""Intervals of 95%, by resampling and of a share."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

_Z = 1.96
_FEWEST = 3
RESAMPLES = 1000

Drawn = TypeVar("Drawn")


def resampled(
    found: Sequence[Drawn],
    measure: Callable[[Sequence[Drawn]], float | None],
    *,
    times: int = RESAMPLES,
) -> tuple[float, float] | None:
    """Return the central 95% of a measure over resampled items.

    None if there are fewer than three, or if the measure is None for half of the draws.
    """
    if len(found) < _FEWEST:
        return None
    random = np.random.default_rng(1)
    values = []
    for _ in range(times):
        drawn = random.integers(0, len(found), len(found)).tolist()
        value = measure([found[index] for index in drawn])
        if value is not None and not math.isnan(value):
            values.append(value)
    if len(values) < times / 2:
        return None
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Return the interval of a share (Wilson, 1927); 0 to 1 without trials."""
    if of == 0:
        return 0.0, 1.0
    share, spread = hits / of, _Z**2 / of
    middle = (share + spread / 2) / (1 + spread)
    reach = _Z * math.sqrt(share * (1 - share) / of + spread / (4 * of)) / (1 + spread)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def share_in_words(hits: int, of: int) -> str:
    """Return the share as `7 of 9 (0.45-0.94)`."""
    if of == 0:
        return "–"
    low, high = wilson(hits, of)
    return f"{hits} of {of} ({low:.2f}-{high:.2f})"
