"""Filler rate: interval (central 80%) of the true rate, given the detected fillers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import special  # `scipy.optimize` takes long to load, before every report

from analysis.filler_accuracy import FillerAccuracy
from analysis.talk.statistics import Interval

CLEAR_PROBABILITY = 0.9
"""Probability from which a detected filler counts as one."""
_TAIL = 0.10
_TALKS = 32
"""Number of simulated talks, all equally likely."""
_LEAST_SHARE = 0.02
"""Lowest recall, so that the upper end is at most fifty times as high instead of infinite."""
_MOST_UNEVEN, _EVENEST = 1.0, 1e5
"""Bounds of the concentration of the beta distribution over talks."""
_HALVINGS = 50


def filler_rate_interval(
    probabilities: Sequence[float], minutes: float, heard: FillerAccuracy
) -> Interval:
    """Return an interval of the true rate per minute, from chance and from detector errors between
    talks.

    The detected count is Poisson, reduced by recall and increased by false detections. Both shares
    differ between talks, so both ends are computed over talks. The errors are not balanced against
    each other: the lower end assumes full recall, the upper end full precision. Clear events count
    as one; the uncertainty of the others widens both ends.
    """
    doubtful = [value for value in probabilities if value < CLEAR_PROBABILITY]
    count = len(probabilities) - len(doubtful) + sum(doubtful)
    doubt = float(special.ndtri(1 - _TAIL)) * float(
        np.sqrt(sum(value * (1 - value) for value in doubtful))
    )
    none_is_one = float(np.prod([1 - heard.true * value for value in probabilities]))
    least = max(count - doubt, 0.0) if none_is_one < _TAIL else 0.0
    low = _lower_rate_bound(least, _shares(heard.true, heard.true_at_least))
    high = _upper_rate_bound(count + doubt, _shares(heard.found, heard.found_at_least))
    return low / minutes, high / minutes


def _shares(mean: float, low: float) -> NDArray[np.float64]:
    """Return shares of talks from a beta distribution with this mean and 90% above `low`."""
    if low >= mean:
        return np.full(1, mean)

    def low_of(size: float) -> float:
        return float(special.betaincinv(mean * size, (1 - mean) * size, _TAIL))

    size = _solve_rising(low_of, low, _MOST_UNEVEN, _EVENEST)
    evenly = (np.arange(_TALKS) + 0.5) / _TALKS
    drawn = special.betaincinv(mean * size, (1 - mean) * size, evenly)
    return np.maximum(np.asarray(drawn, dtype=np.float64), _LEAST_SHARE)


def _lower_rate_bound(marked: float, true: NDArray[np.float64]) -> float:
    """Return the rate below which this many detections occur in less than one talk of ten."""
    if marked <= 0:
        return 0.0
    return _solve_rising(
        lambda said: float(special.gammainc(marked, said / true).mean()), _TAIL, 0.0, marked + 1
    )


def _upper_rate_bound(marked: float, found: NDArray[np.float64]) -> float:
    """Return the rate above which this few detections occur in less than one talk of ten."""
    beyond = float(special.gammaincinv(marked + 1, 1 - _TAIL)) / float(found.min())
    return _solve_rising(
        lambda said: float(special.gammainc(marked + 1, said * found).mean()),
        1 - _TAIL,
        0.0,
        beyond,
    )


def _solve_rising(rising: Callable[[float], float], value: float, low: float, high: float) -> float:
    """Return where a rising function reaches the value, limited to the bounds."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if rising(middle) < value:
            low = middle
        else:
            high = middle
    return high
