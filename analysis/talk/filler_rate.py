"""How many ums a minute were said, given those that were marked: the central 80%."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import special  # `scipy.optimize` takes long to load, before every report

from analysis.hearing import Hearing
from analysis.talk.statistics import Interval

CLEAR_PROBABILITY = 0.9
"""From here on a detected filler counts as one."""
_TAIL = 0.10
_TALKS = 32
"""So many talks stand for all, each as likely as another."""
_LEAST_SHARE = 0.02
"""Where next to none may be found the upper end is fifty times as high at most, instead of without
end."""
_MOST_UNEVEN, _EVENEST = 1.0, 1e5
"""Sizes of a beta distribution between which that of talks is looked for."""
_HALVINGS = 50


def filler_rate_interval(
    probabilities: Sequence[float], minutes: float, heard: Hearing
) -> Interval:
    """Interval of the rate of what was said, by chance and by how hearing differs between talks.

    Marked is a Poisson number, thinned by the share that is found and swollen by those that are
    none; both shares differ from talk to talk, so the two ends are taken over talks. Neither error
    excuses the other: the lower end takes all for found, the upper one all for true. Clear events
    count as one; the doubt about the others widens both ends.
    """
    doubtful = [value for value in probabilities if value < CLEAR_PROBABILITY]
    count = len(probabilities) - len(doubtful) + sum(doubtful)
    doubt = float(special.ndtri(1 - _TAIL)) * float(
        np.sqrt(sum(value * (1 - value) for value in doubtful))
    )
    none_is_one = float(np.prod([1 - heard.true * value for value in probabilities]))
    least = max(count - doubt, 0.0) if none_is_one < _TAIL else 0.0
    low = _fewest(least, _shares(heard.true, heard.true_at_least))
    high = _most(count + doubt, _shares(heard.found, heard.found_at_least))
    return low / minutes, high / minutes


def _shares(mean: float, low: float) -> NDArray[np.float64]:
    """Of talks, evenly drawn: a beta distribution with this mean, of which nine in ten lie above
    `low`."""
    if low >= mean:
        return np.full(1, mean)

    def low_of(size: float) -> float:
        return float(special.betaincinv(mean * size, (1 - mean) * size, _TAIL))

    size = _where(low_of, low, _MOST_UNEVEN, _EVENEST)
    evenly = (np.arange(_TALKS) + 0.5) / _TALKS
    drawn = special.betaincinv(mean * size, (1 - mean) * size, evenly)
    return np.maximum(np.asarray(drawn, dtype=np.float64), _LEAST_SHARE)


def _fewest(marked: float, true: NDArray[np.float64]) -> float:
    """With fewer that were said, so many would be marked in one talk of ten."""
    if marked <= 0:
        return 0.0
    return _where(
        lambda said: float(special.gammainc(marked, said / true).mean()), _TAIL, 0.0, marked + 1
    )


def _most(marked: float, found: NDArray[np.float64]) -> float:
    """With more that were said, so few would be marked in one talk of ten."""
    beyond = float(special.gammaincinv(marked + 1, 1 - _TAIL)) / float(found.min())
    return _where(
        lambda said: float(special.gammainc(marked + 1, said * found).mean()),
        1 - _TAIL,
        0.0,
        beyond,
    )


def _where(rising: Callable[[float], float], value: float, low: float, high: float) -> float:
    """Where between both it reaches the value; else the nearer of them."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if rising(middle) < value:
            low = middle
        else:
            high = middle
    return high
