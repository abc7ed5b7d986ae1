"""The range of the rate of ums: chance, doubt, and how hearing differs between talks."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.filler_accuracy import FillerAccuracy
from analysis.talk.filler_rate import filler_rate_interval

ALIKE = FillerAccuracy(found=0.71, true=1.0, found_at_least=0.71, true_at_least=1.0)
"""In every talk the same share is found, and nothing else is taken for one."""


@pytest.mark.parametrize(("events", "minutes"), [(9, 1), (15, 2), (21, 3), (33, 5), (60, 10)])
def test_so_many_clear_fillers_are_clearly_more_than_five_a_minute(
    events: int, minutes: int
) -> None:
    low, high = filler_rate_interval([0.95] * events, minutes, ALIKE)
    assert low > 5.0
    assert low < events / minutes < high


@pytest.mark.parametrize(("events", "minutes"), [(8, 1), (14, 2), (19, 3), (30, 5), (56, 10)])
def test_a_few_less_are_not(events: int, minutes: int) -> None:
    assert filler_rate_interval([0.95] * events, minutes, ALIKE)[0] < 5.0


def test_four_fillers_in_25_seconds_decide_nothing() -> None:
    low, high = filler_rate_interval([0.99] * 4, 25 / 60, ALIKE)
    assert low < 5.0 < high


def test_doubtful_fillers_widen_the_interval_on_both_sides() -> None:
    clear = filler_rate_interval([0.95] * 10, 2, ALIKE)
    doubtful = filler_rate_interval([0.95] * 5 + [0.6] * 8, 2, ALIKE)
    assert doubtful[0] < clear[0]


def test_nothing_heard_still_leaves_room_for_something() -> None:
    low, high = filler_rate_interval([], 3, ALIKE)
    assert low == 0.0
    assert 0.5 < high < 2.0


def test_what_an_engine_misses_raises_the_upper_end_only() -> None:
    well = filler_rate_interval([0.95] * 10, 2, FillerAccuracy(0.9, 0.9, 0.9, 0.9))
    badly = filler_rate_interval([0.95] * 10, 2, FillerAccuracy(0.5, 0.9, 0.5, 0.9))
    assert badly[0] == well[0]
    assert badly[1] == pytest.approx(0.9 / 0.5 * well[1])


def test_where_few_are_found_none_found_says_little() -> None:
    well = filler_rate_interval([], 3, FillerAccuracy(0.8, 0.9, 0.8, 0.9))
    badly = filler_rate_interval([], 3, FillerAccuracy(0.2, 0.9, 0.2, 0.9))
    assert badly[1] == pytest.approx(4 * well[1])


def test_what_hears_some_talks_better_than_others_is_less_sure() -> None:
    even = filler_rate_interval([0.95] * 30, 4, FillerAccuracy(0.8, 0.9, 0.79, 0.89))
    uneven = filler_rate_interval([0.95] * 30, 4, FillerAccuracy(0.8, 0.9, 0.5, 0.6))
    assert uneven[0] < even[0]
    assert uneven[1] > 1.3 * even[1]


def test_a_single_one_may_be_false_and_three_are_not() -> None:
    heard = FillerAccuracy(0.8, 0.9, 0.7, 0.8)
    assert filler_rate_interval([0.95], 2, heard)[0] == 0
    assert filler_rate_interval([0.95] * 3, 2, heard)[0] > 0


@pytest.mark.parametrize("said", [6, 20, 60])
def test_four_of_five_talks_lie_within_it(said: int) -> None:
    # It holds more than it promises: the two errors are not set off against each other, and it is
    # an interval of the rate from which this talk was drawn.
    random = np.random.default_rng(7)
    found, true = random.beta(8, 2, size=400), random.beta(12, 2, size=400)
    heard = FillerAccuracy(0.8, 12 / 14, *(float(np.quantile(some, 0.1)) for some in (found, true)))
    held = 0
    for hearing, rightness in zip(found, true, strict=True):
        hits = random.binomial(said, hearing)
        false = random.poisson(said * hearing * (1 - rightness) / rightness)
        low, high = filler_rate_interval([1.0] * (hits + false), 1.0, heard)
        held += low <= said <= high
    assert held / 400 >= 0.8
