from __future__ import annotations

import numpy as np
import pytest

from analysis.analysers.gaze import CameraFacing
from analysis.talk import statistics
from tests.analysis import seen


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
