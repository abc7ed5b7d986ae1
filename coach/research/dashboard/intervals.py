"""Intervals by resampling people, since one person's takes are not independent."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from coach.lib.words.shares import share_of

DRAWS = 1_000
"""Resamples; more move the ends by less than a hundredth (rule of thumb)."""
CENTRAL = (2.5, 97.5)
"""Percentiles of a 95% interval."""

_REMEMBERED = 500
"""Intervals of ratios; of a thousand people each rests on 16 kB."""

Interval = tuple[float | None, float | None]


def mean_interval(values: Sequence[float]) -> Interval:
    """Return the 95% bootstrap interval of the mean, one value per person; None for fewer
    than two.
    """
    if len(values) < 2:
        return None, None
    drawn = _draws(len(values)).astype(float) @ np.asarray(values, dtype=float) / len(values)
    low, high = np.percentile(drawn, CENTRAL)
    return float(low), float(high)


def ratio_interval(pairs: Sequence[tuple[int, int]]) -> Interval:
    """Return the 95% interval of hits / cases, summed over people; None for fewer than two people.

    It is the wider of a bootstrap over people and Wilson's interval: if everybody has the same
    share, resampling alone would show no uncertainty.
    """
    whole = share_of(sum(hits for hits, _cases in pairs), sum(cases for _hits, cases in pairs))
    if len(pairs) < 2 or whole is None:
        return None, None
    low, high = _resampled(np.asarray(pairs, dtype=np.int64).tobytes())
    least, most = whole.interval
    return min(low, least), max(high, most)


@lru_cache(maxsize=_REMEMBERED)
def _resampled(pairs: bytes) -> tuple[float, float]:
    """Return the bootstrap interval, cached: a page, its chart and its CSV ask for the same
    ones.
    """
    table = np.frombuffer(pairs, dtype=np.int64).reshape(-1, 2).astype(float)
    drawn = _draws(len(table)).astype(float) @ table
    there = drawn[drawn[:, 1] > 0]
    low, high = np.percentile(there[:, 0] / there[:, 1], CENTRAL)
    return float(low), float(high)


@lru_cache(maxsize=4)
def _draws(count: int) -> NDArray[np.uint16]:
    """Return how often each person is in each resample, fixed so that pages agree.

    Drawing takes longest, so it is cached by the number of people. A count never reaches 65,535.
    """
    dice = np.random.default_rng(0)
    drawn = dice.multinomial(count, np.full(count, 1 / count), size=DRAWS)
    return drawn.astype(np.uint16)
