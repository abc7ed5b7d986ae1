"""Interval estimates of rates, shares and means: always the central 80%."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import special  # `scipy.stats` takes half a second to load, before every report

Interval = tuple[float, float]

_TAIL = 0.10
"""Probability of each tail of an 80% interval."""
_RESAMPLES = 400
_SEED = 20_240_607


def poisson_interval(count: float) -> Interval:
    """Return the exact (Garwood) interval of an expected count, given
    a possibly fractional count.
    """
    low = float(special.gammaincinv(count, _TAIL)) if count > 0 else 0.0
    high = float(special.gammaincinv(count + 1, 1 - _TAIL))
    return low, high


def rate_interval(count: float, minutes: float) -> Interval:
    """Return the interval of a rate per minute, from a count."""
    low, high = poisson_interval(count)
    return low / minutes, high / minutes


def share_interval(hits: int, trials: int) -> Interval:
    """Return Wilson's interval of a share."""
    z = float(special.ndtri(1 - _TAIL))
    share = hits / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials)
    half *= float(np.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)))
    return max(0.0, centre - half), min(1.0, centre + half)


def mean_interval(values: Sequence[float] | NDArray[np.floating]) -> Interval | None:
    """Return the interval of the mean of independent values by Student's t; None for fewer than
    three.
    """
    data = np.asarray(values, dtype=np.float64)
    if len(data) < 3:
        return None
    half = float(special.stdtrit(len(data) - 1, 1 - _TAIL) * data.std(ddof=1) / np.sqrt(len(data)))
    return float(data.mean() - half), float(data.mean() + half)


def variation(values: Sequence[float]) -> float:
    """Return the coefficient of variation: the standard deviation divided by the mean."""
    data = np.asarray(values, dtype=np.float64)
    return float(data.std(ddof=1) / data.mean())


def variation_interval(values: Sequence[float]) -> Interval:
    """Return a bootstrap interval of the coefficient of variation; deterministic."""
    random = np.random.default_rng(_SEED)
    data = np.asarray(values, dtype=np.float64)
    drawn = data[random.integers(0, len(data), (_RESAMPLES, len(data)))]
    found = drawn.std(axis=1, ddof=1) / drawn.mean(axis=1)
    low, high = np.percentile(found, [100 * _TAIL, 100 * (1 - _TAIL)])
    value = variation(values)
    return min(float(low), value), max(float(high), value)


def block_interval(blocks: Sequence[NDArray[np.floating]], statistic: str) -> Interval | None:
    """Return a bootstrap interval over blocks of neighbouring frames, which are correlated.

    `statistic` is `sd`, `range` (95th minus 5th percentile) or `spread` (90th minus 10th). None for
    fewer than four blocks. Deterministic for the same input.
    """
    if len(blocks) < 4:
        return None
    random = np.random.default_rng(_SEED)
    drawn = []
    for _ in range(_RESAMPLES):
        chosen = random.integers(0, len(blocks), len(blocks))
        drawn.append(_statistic(np.concatenate([blocks[index] for index in chosen]), statistic))
    low, high = np.percentile(drawn, [100 * _TAIL, 100 * (1 - _TAIL)])
    return float(low), float(high)


def _statistic(values: NDArray[np.floating], name: str) -> float:
    if name == "sd":
        return float(values.std())
    low, high = (5, 95) if name == "range" else (10, 90)
    bottom, top = np.percentile(values, [low, high])
    return float(top - bottom)


def ratio_interval(above: Sequence[float], below: Sequence[float]) -> Interval | None:
    """Return the interval of the ratio of two means by the delta method on the logarithm; None for
    fewer than three values or a mean of zero.
    """
    if len(above) < 3 or len(below) < 3:
        return None
    first, second = np.asarray(above), np.asarray(below)
    if first.mean() <= 0 or second.mean() <= 0:
        return None
    variance = sum(
        float(part.var(ddof=1) / len(part) / part.mean() ** 2) for part in (first, second)
    )
    z = float(special.ndtri(1 - _TAIL))
    ratio = float(first.mean() / second.mean())
    factor = float(np.exp(z * np.sqrt(variance)))
    return ratio / factor, ratio * factor


def difference_interval(last: Sequence[float], first: Sequence[float]) -> Interval | None:
    """Return the interval of the difference of two means (Welch); None for
    fewer than three values.
    """
    if min(len(last), len(first)) < 3:
        return None
    after, before = np.asarray(last, dtype=np.float64), np.asarray(first, dtype=np.float64)
    sizes = len(after), len(before)
    parts = after.var(ddof=1) / sizes[0], before.var(ddof=1) / sizes[1]
    error = float(np.sqrt(sum(parts)))
    difference = float(after.mean() - before.mean())
    if error == 0:
        return difference, difference
    # As shares of the sum, since the square of a very small variance would underflow.
    shares = ((part / sum(parts), n - 1) for part, n in zip(parts, sizes, strict=True))
    freedom = 1 / sum(share**2 / others for share, others in shares)
    half = float(special.stdtrit(freedom, 1 - _TAIL)) * error
    return difference - half, difference + half
