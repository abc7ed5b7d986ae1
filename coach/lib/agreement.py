"""Inter-rater agreement: percent agreement, positive agreement, Cohen's kappa, Krippendorff's
alpha.

A coefficient that is undefined (nobody used a code, or everybody always did) is None and carries a
reason: neither 1 nor 0 would be true. Definitions: Cohen (1960); Krippendorff, *Computing
Krippendorff's Alpha-Reliability* (2011), with missing values; Cicchetti and Feinstein (1990) for
positive agreement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Statistic = Callable[[Matrix], Matrix]
"""Function from counts summed over clusters, for many resamples at once, to a coefficient; NaN
where it is undefined."""

DRAWS = 1_000
"""Resamples of an interval; more move its ends by less than a hundredth (rule of thumb)."""
CENTRAL = (2.5, 97.5)
"""Percentiles of a 95% interval."""
LEAST_DEFINED = 0.5
"""Least share of resamples with a value for an interval to be given (rule of thumb)."""


class Level(StrEnum):
    """Level of measurement, which sets the distance between two values."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


class Undefined(StrEnum):
    """Reason why a coefficient is undefined."""

    NO_VARIATION = "no_variation"
    ONE_CODER = "one_coder"
    TOO_FEW_UNITS = "too_few_units"


@dataclass(frozen=True, slots=True)
class CodedUnit:
    """One judged unit: the value of each rater, and the cluster that the unit belongs to.

    Turns of one interview, or items of one talk, are not independent: they share a ``cluster``, and
    an interval is resampled over clusters. A rater without a value is left out of ``values``.
    ``count`` identical units need one row.
    """

    values: Mapping[str, Hashable]
    cluster: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """A coefficient with its 95% interval, or the reason why it is undefined."""

    value: float | None
    low: float | None = None
    high: float | None = None
    undefined: Undefined | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoByTwo:
    """Counts of two raters' presence judgements: both, only one of them, neither."""

    both: int
    first_only: int
    second_only: int
    neither: int

    @property
    def units(self) -> int:
        """Return the number of units that both raters judged."""
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def percent(self) -> float | None:
        """Return the percent agreement as a share from 0 to 1; None without units."""
        return (self.both + self.neither) / self.units if self.units else None

    @property
    def positive(self) -> float | None:
        """Return the positive agreement, 2 both / (2 both + first + second), 0 to 1; None
        if undefined.
        """
        marked = 2 * self.both + self.first_only + self.second_only
        return 2 * self.both / marked if marked else None


def two_by_two(units: Iterable[CodedUnit], first: str, second: str, present: Hashable) -> TwoByTwo:
    """Count where two raters agree that ``present`` applies, over the units that both judged."""
    said: Counter[tuple[bool, bool]] = Counter()
    for unit in units:
        if first in unit.values and second in unit.values:
            pair = (unit.values[first] == present, unit.values[second] == present)
            said[pair] += unit.count
    return TwoByTwo(
        both=said[True, True],
        first_only=said[True, False],
        second_only=said[False, True],
        neither=said[False, False],
    )


def positive_agreement(
    units: Sequence[CodedUnit], first: str, second: str, present: Hashable, *, seed: int = 0
) -> Coefficient:
    """Return the positive agreement of two raters on ``present``, with its interval."""
    said = [
        CodedUnit(
            values={rater: unit.values[rater] == present for rater in (first, second)},
            cluster=unit.cluster,
            count=unit.count,
        )
        for unit in units
        if first in unit.values and second in unit.values
    ]
    if not said:
        return Coefficient(value=None, undefined=Undefined.TOO_FEW_UNITS)
    tables = _tables(said, first, second, [True, False])
    value = _value(_positive, tables)
    if value is None:
        return Coefficient(value=None, undefined=Undefined.NO_VARIATION)
    low, high = _interval(tables, _positive, seed)
    return Coefficient(value=value, low=low, high=high)


def _positive(tables: Matrix) -> Matrix:
    both = 2 * tables[..., 0, 0]
    return _ratio(both, both + tables[..., 0, 1] + tables[..., 1, 0])


def mean_of(values: Sequence[tuple[str, float]], *, seed: int = 0) -> Coefficient:
    """Return the mean of the measured values; its interval is resampled over clusters, as
    for alpha.
    """
    if not values:
        return Coefficient(value=None, undefined=Undefined.TOO_FEW_UNITS)
    clusters = {name: n for n, name in enumerate(sorted({cluster for cluster, _value in values}))}
    sums = np.zeros((len(clusters), 2))
    for cluster, value in values:
        sums[clusters[cluster]] += (value, 1)
    low, high = _interval(sums, _mean, seed)
    return Coefficient(value=_value(_mean, sums), low=low, high=high)


def _mean(totals: Matrix) -> Matrix:
    return _ratio(totals[..., 0], totals[..., 1])


def cohen_kappa(
    units: Iterable[CodedUnit], first: str, second: str, *, seed: int | None = 0
) -> Coefficient:
    """Return Cohen's kappa of two raters over the units that both judged, summed over clusters.

    The interval is resampled as for alpha. With ``seed=None`` no interval is computed, which is
    faster.
    """
    both = [unit for unit in units if first in unit.values and second in unit.values]
    if not both:
        return Coefficient(value=None, undefined=Undefined.TOO_FEW_UNITS)
    used = {unit.values[rater] for unit in both for rater in (first, second)}
    tables = _tables(both, first, second, _in_order(used, Level.NOMINAL))
    value = _value(_kappa, tables)
    if value is None:
        return Coefficient(value=None, undefined=Undefined.NO_VARIATION)
    low, high = (None, None) if seed is None else _interval(tables, _kappa, seed)
    return Coefficient(value=value, low=low, high=high)


def _kappa(tables: Matrix) -> Matrix:
    n = tables.sum(axis=(-2, -1))
    observed = np.trace(tables, axis1=-2, axis2=-1) / n
    chance = (tables.sum(axis=-2) * tables.sum(axis=-1)).sum(axis=-1) / (n * n)
    return _ratio(observed - chance, 1 - chance)


def _tables(
    units: Sequence[CodedUnit], first: str, second: str, values: Sequence[Hashable]
) -> Matrix:
    """Return the confusion tables of two raters: clusters x values x values."""
    place = {value: n for n, value in enumerate(values)}
    clusters = {name: n for n, name in enumerate(sorted({unit.cluster for unit in units}))}
    tables = np.zeros((len(clusters), len(values), len(values)))
    for unit in units:
        cell = (clusters[unit.cluster], place[unit.values[first]], place[unit.values[second]])
        tables[cell] += unit.count
    return tables


def krippendorff_alpha(units: Sequence[CodedUnit], level: Level, *, seed: int = 0) -> Coefficient:
    """Return Krippendorff's alpha for any number of raters, with missing values.

    ``INTERVAL`` takes numbers; ``ORDINAL`` anything that sorts. The interval is a bootstrap over
    clusters, reproducible for one ``seed``; a single cluster gives no interval.
    """
    shared = [unit for unit in units if len(unit.values) > 1]
    if not shared:
        raters = {rater for unit in units for rater in unit.values}
        lone = Undefined.ONE_CODER if len(raters) == 1 else Undefined.TOO_FEW_UNITS
        return Coefficient(value=None, undefined=lone)
    values = _in_order({value for unit in shared for value in unit.values.values()}, level)
    if len(values) == 1:
        return Coefficient(value=None, undefined=Undefined.NO_VARIATION)
    by_cluster = _coincidences(shared, values)
    alpha = partial(_alpha, values=values, level=level)
    value = _value(alpha, by_cluster)
    low, high = _interval(by_cluster, alpha, seed)
    return Coefficient(value=value, low=low, high=high)


def _in_order(values: set[Hashable], level: Level) -> list[Any]:
    return sorted(values, key=repr) if level is Level.NOMINAL else sorted(values)


def _coincidences(units: Sequence[CodedUnit], values: Sequence[Hashable]) -> Matrix:
    """Return the coincidence matrix of each cluster: clusters x values x values."""
    place = {value: n for n, value in enumerate(values)}
    clusters = {name: n for n, name in enumerate(sorted({unit.cluster for unit in units}))}
    pairs = np.zeros((len(clusters), len(values), len(values)))
    of_one: dict[tuple[Hashable, ...], Matrix] = {}  # thousands of units say one of few things
    for unit in units:
        said = tuple(unit.values.values())
        if said not in of_one:
            counts = np.bincount([place[value] for value in said], minlength=len(values))
            of_one[said] = (np.outer(counts, counts) - np.diag(counts)) / (counts.sum() - 1)
        pairs[clusters[unit.cluster]] += unit.count * of_one[said]
    return pairs


def _alpha(pairs: Matrix, *, values: Sequence[Any], level: Level) -> Matrix:
    marginals = pairs.sum(axis=-1)
    distance = _distances(marginals, values, level)
    chances = marginals[..., :, None] * marginals[..., None, :]
    expected = (chances * distance).sum(axis=(-2, -1))
    observed = (pairs * distance).sum(axis=(-2, -1))
    return 1 - _ratio((marginals.sum(axis=-1) - 1) * observed, expected)


def _distances(marginals: Matrix, values: Sequence[Any], level: Level) -> Matrix:
    """Return the squared distances between values (Krippendorff 2011, section D)."""
    if level is Level.NOMINAL:
        return 1 - np.eye(len(values))
    if level is Level.INTERVAL:
        numbers = np.array([float(value) for value in values])
        return np.asarray((numbers[:, None] - numbers[None, :]) ** 2)
    upto = np.cumsum(marginals, axis=-1)
    between = np.abs(upto[..., :, None] - upto[..., None, :])
    # From value c to value k: all counts between them, and half of each end.
    half = (marginals[..., :, None] - marginals[..., None, :]) / 2
    order = np.arange(len(values))
    signed = np.where(order[:, None] < order[None, :], half, -half)
    return np.asarray((between + signed) ** 2)


def _ratio(part: Matrix, whole: Matrix) -> Matrix:
    """Divide element by element; NaN where the denominator is 0."""
    nothing = np.full_like(whole, np.nan)
    return np.divide(part, whole, out=nothing, where=whole != 0)


def _value(statistic: Statistic, by_cluster: Matrix) -> float | None:
    found = float(statistic(by_cluster.sum(axis=0)))
    return None if np.isnan(found) else found


@lru_cache(maxsize=4)
def _draws(count: int, seed: int) -> NDArray[np.uint16]:
    """Return how often each of ``count`` clusters is drawn in each resample.

    Drawing takes longest, and coefficients of one table share the same clusters, so the draws are
    cached. A count never reaches 65,535, so 16 bits are enough.
    """
    drawn = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), size=DRAWS)
    return drawn.astype(np.uint16)


def _interval(
    by_cluster: Matrix, statistic: Statistic, seed: int
) -> tuple[float | None, float | None]:
    count = len(by_cluster)
    if count == 1:
        return None, None
    found = statistic(np.tensordot(_draws(count, seed).astype(float), by_cluster, axes=1))
    found = found[~np.isnan(found)]
    if len(found) < LEAST_DEFINED * DRAWS:
        return None, None
    low, high = np.percentile(found, CENTRAL)
    return float(low), float(high)
