"""Cores are shared by weight, and nobody is given more than they can use."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from coach.feedback.runs.cpu_contention import CpuDemand, mean_slowness, slowness

ONE = CpuDemand(use=1.0, claim=1.0)
TWO = CpuDemand(use=1.6, claim=2.0)
LOW = CpuDemand(use=1.6, claim=2 / 3)


def test_where_there_is_room_nobody_is_slowed_down() -> None:
    assert slowness([ONE, ONE], 2) == [1, 1]
    assert slowness([], 2) == []


def test_equals_share_equally() -> None:
    assert slowness([ONE] * 4, 2) == pytest.approx([2] * 4)


def test_who_can_use_less_leaves_the_rest_to_others() -> None:
    assert slowness([TWO, ONE], 2) == pytest.approx([1.6 / (2 * 2 / 3), 1 / (2 / 3)])
    assert slowness([LOW, ONE], 2) == pytest.approx([1.6, 1])


def test_nothing_is_given_out_twice() -> None:
    some = [ONE, TWO, LOW, ONE]
    given = sum(each.use / slow for each, slow in zip(some, slowness(some, 2), strict=True))
    assert given == pytest.approx(2)


def test_the_mean_counts_each_neighbour_for_as_long_as_it_was_there() -> None:
    began = datetime(2026, 1, 1, tzinfo=UTC)

    def at(seconds: float) -> datetime:
        return began + timedelta(seconds=seconds)

    span = (at(0), at(100))
    assert mean_slowness(span, ONE, [], 1) == 1
    assert mean_slowness(span, ONE, [(at(-50), at(50), ONE)], 1) == pytest.approx(1.5)
    both = [(at(0), at(50), ONE), (at(25), at(175), ONE)]
    assert mean_slowness(span, ONE, both, 1) == pytest.approx((25 * 2 + 25 * 3 + 50 * 2) / 100)
    assert mean_slowness(span, ONE, [(at(-50), at(-10), ONE), (at(120), at(130), ONE)], 1) == 1
    assert mean_slowness((began, began), ONE, both, 1) == 1
