"""Intervals over people: what one person did several times hangs together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coach.lib.shares import share_of

DRAWS = 1_000
"""Resamples; more move the ends by less than a hundredth (rule of thumb)."""
CENTRAL = (2.5, 97.5)
"""Percentiles of a 95% interval."""

Interval = tuple[float | None, float | None]


def mean_interval(values: Sequence[float]) -> Interval:
    """95% bootstrap of the mean, one value a person; none of fewer than two people."""
    if len(values) < 2:
        return None, None
    drawn = _draws(len(values)) @ np.asarray(values, dtype=float) / len(values)
    low, high = np.percentile(drawn, CENTRAL)
    return float(low), float(high)


def ratio_interval(pairs: Sequence[tuple[int, int]]) -> Interval:
    """95% interval of hits / cases, both summed over people; none of fewer than two people.

    The wider end of a bootstrap over people and of Wilson's interval: where everybody has the same
    share, resampling alone would find no doubt at all.
    """
    whole = share_of(sum(hits for hits, _cases in pairs), sum(cases for _hits, cases in pairs))
    if len(pairs) < 2 or whole is None:
        return None, None
    table = np.asarray(pairs, dtype=float)
    drawn = _draws(len(pairs)) @ table
    there = drawn[drawn[:, 1] > 0]
    low, high = np.percentile(there[:, 0] / there[:, 1], CENTRAL)
    least, most = whole.interval
    return min(float(low), least), max(float(high), most)


def _draws(count: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """How often each person is in each resample: always the same ones, so that pages agree."""
    dice = np.random.default_rng(0)
    return dice.multinomial(count, np.full(count, 1 / count), size=DRAWS).astype(float)
