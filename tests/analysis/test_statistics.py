from __future__ import annotations

import numpy as np
import pytest

from analysis.analysers.gaze import CameraFacing
from analysis.talk import statistics
from tests.analysis import seen


@pytest.mark.parametrize(("events", "minutes"), [(9, 1), (15, 2), (21, 3), (33, 5), (60, 10)])
def test_so_many_clear_fillers_are_clearly_more_than_five_a_minute(
    events: int, minutes: int
) -> None:
    low, high = statistics.filler_rate_interval([0.95] * events, minutes, found=0.71)
    assert low > 5.0
    assert low < events / minutes < high


@pytest.mark.parametrize(("events", "minutes"), [(8, 1), (14, 2), (19, 3), (30, 5), (56, 10)])
def test_a_few_less_are_not(events: int, minutes: int) -> None:
    assert statistics.filler_rate_interval([0.95] * events, minutes, found=0.71)[0] < 5.0


def test_four_fillers_in_25_seconds_decide_nothing() -> None:
    low, high = statistics.filler_rate_interval([0.99] * 4, 25 / 60, found=0.71)
    assert low < 5.0 < high


def test_doubtful_fillers_widen_the_interval_on_both_sides() -> None:
    clear = statistics.filler_rate_interval([0.95] * 10, 2, found=0.71)
    doubtful = statistics.filler_rate_interval([0.95] * 5 + [0.6] * 8, 2, found=0.71)
    assert doubtful[0] < clear[0]


def test_nothing_heard_still_leaves_room_for_something() -> None:
    low, high = statistics.filler_rate_interval([], 3, found=0.71)
    assert low == 0.0
    assert 0.5 < high < 2.0


def test_the_poisson_interval_holds_what_it_promises() -> None:
    random = np.random.default_rng(5)
    hits = 0
    for _ in range(400):
        low, high = statistics.poisson_interval(int(random.poisson(7.0)))
        hits += low <= 7.0 <= high
    assert hits / 400 >= 0.78


@pytest.mark.parametrize(
    ("events", "low", "high"), [(0, 0.0, 2.3026), (3, 1.1021, 6.6808), (10, 6.2213, 15.4066)]
)
def test_the_interval_of_a_rate_is_the_exact_one(events: int, low: float, high: float) -> None:
    # Central 80% limits of a Poisson mean, from a table of chi-square.
    assert statistics.rate_interval(events, 1.0) == pytest.approx((low, high), abs=1e-4)


def test_whatever_counts_events_in_pictures_takes_that_interval_too() -> None:
    away = seen.sight(yaw=seen.away_between((20.0, 26.0), (40.0, 46.0), angle=50.0))
    rate = CameraFacing().measure(seen.talk(away)).measurements["gaze.look_aways_per_minute"]
    assert rate.interval == pytest.approx(statistics.rate_interval(rate.n, rate.n / rate.value))


def test_shares_stay_between_zero_and_one() -> None:
    assert statistics.share_interval(0, 5)[0] == 0.0
    assert statistics.share_interval(5, 5)[1] == pytest.approx(1.0)


def test_means_of_two_values_have_no_interval() -> None:
    assert statistics.mean_interval([1.0, 2.0]) is None
    assert statistics.ratio_interval([1.0, 2.0], [1.0, 1.0, 1.0]) is None
    assert statistics.block_interval([np.ones(5)] * 3, "sd") is None


def test_the_bootstrap_is_the_same_every_time() -> None:
    blocks = [np.random.default_rng(seed).normal(size=50) for seed in range(8)]
    first = statistics.block_interval(blocks, "range")
    assert first == statistics.block_interval(blocks, "range")
    assert first is not None
    assert first[0] < 3.3 < first[1]


def test_equal_paces_have_a_ratio_about_one() -> None:
    interval = statistics.ratio_interval([4.0, 4.2, 3.8, 4.0], [4.1, 3.9, 4.0, 4.0])
    assert interval is not None
    assert interval[0] < 1.0 < interval[1]


def test_what_an_engine_misses_raises_the_upper_end_only() -> None:
    well = statistics.filler_rate_interval([0.95] * 10, 2, found=0.9)
    badly = statistics.filler_rate_interval([0.95] * 10, 2, found=0.5)
    assert badly[0] == well[0]
    assert badly[1] > 1.5 * well[1]


def test_where_few_are_found_none_found_says_little() -> None:
    well = statistics.filler_rate_interval([], 3, found=0.8)
    badly = statistics.filler_rate_interval([], 3, found=0.2)
    assert badly[1] == pytest.approx(4 * well[1])


def test_a_single_one_may_be_false_and_three_are_not() -> None:
    assert statistics.filler_rate_interval([0.95], 2, found=0.8, true=0.9)[0] == 0
    assert statistics.filler_rate_interval([0.95] * 3, 2, found=0.8, true=0.9)[0] > 0
