"""What people are told about their waiting, against what comes true, on days that are played."""

from __future__ import annotations

from dataclasses import replace

from bench.load.told import Coming, Told, played, rush


def test_a_time_or_a_range_is_right_within_a_quarter() -> None:
    assert Told(60, 60, 79, is_one_of_many=False).is_right
    assert not Told(60, 60, 81, is_one_of_many=False).is_right
    assert Told(60, 200, 200, is_one_of_many=False).is_right
    assert Told(60, 200, 260, is_one_of_many=False).is_right
    assert not Told(60, 200, 40, is_one_of_many=False).is_right


def test_alone_the_day_goes_as_told_but_for_what_stages_differ() -> None:
    [alone] = played([Coming(at=5.0, person=1, seconds=300.0, has_picture=True)], seed=12)
    assert alone.is_right
    assert not alone.is_range
    assert alone.true != alone.soonest


def test_in_a_rush_a_range_holds_where_one_time_would_not() -> None:
    told = played(rush(12), seed=12)
    ranges = [each for each in told if each.is_range]
    assert len(ranges) > 10
    assert sum(each.is_right for each in told) >= 0.85 * len(told)
    alone = [replace(each, latest=each.soonest) for each in ranges]
    assert sum(each.is_right for each in ranges) > sum(each.is_right for each in alone)
