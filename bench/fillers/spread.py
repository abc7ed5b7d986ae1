"""Variation of recall between talks: mean and lowest of nine in ten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

_TAIL = 0.10
_FEWEST = 3
_NARROWEST, _WIDEST = 0.005, 0.5


@dataclass(frozen=True, slots=True)
class ShareSpread:
    """Mean and lowest of nine in ten of shares over talks."""

    mean: float
    low: float
    """Share exceeded by nine talks in ten."""
    n: int


def spread(pairs: Sequence[tuple[int, int]]) -> ShareSpread | None:
    """Fit a beta distribution by moments to (hits, trials) of each talk; None for too few talks.

    Shares of small numbers vary by chance alone; that part is subtracted (Kleinman, 1973).
    """
    hits = np.array([hit for hit, trials in pairs if trials], dtype=np.float64)
    trials = np.array([trials for _, trials in pairs if trials], dtype=np.float64)
    if len(trials) < _FEWEST:
        return None
    mean = float(hits.sum() / trials.sum())
    # One extra hit and miss, since nothing is perfect after a few trials.
    careful = (float(hits.sum()) + 1) / (float(trials.sum()) + 2)
    between = _between(hits, trials, careful)
    size = 1 / between - 1
    low = float(stats.beta.ppf(_TAIL, careful * size, (1 - careful) * size))
    return ShareSpread(mean, min(low, mean), int(trials.sum()))


def _between(
    hits: NDArray[np.float64],
    trials: NDArray[np.float64],
    mean: float,
) -> float:
    """Return the correlation between fillers of one talk in being detected."""
    squares = float((trials * (hits / trials - mean) ** 2).sum())
    chance = mean * (1 - mean)
    expected = chance * len(trials)
    spare = chance * float((trials - 1).sum())
    if spare <= 0 or chance <= 0:
        return _WIDEST
    return min(max((squares - expected) / spare, _NARROWEST), _WIDEST)
