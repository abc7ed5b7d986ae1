"""The trace is the same every time, and its figures are counted right."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace

import pytest

from analysis.plan import DEFAULT_COSTS, Shape
from bench.load import school
from bench.load.clips import name_of
from bench.load.figures import Ended, Figures, _covered, _ideal, lines, median_and_p95
from bench.load.replay import _latest
from bench.load.trace import SCALE, one_by_one, skewed
from bench.load.workers import end_all
from coach.feedback.runs import fair_queue as turns
from coach.feedback.runs.estimates import Estimate


def ended(handed_in: float, work: float, path: float) -> Ended:
    return Ended(group="short", handed_in=handed_in, total=path, waiting=0.0, work=work, path=path)


def test_a_seed_makes_the_same_trace_again_and_another_one_another() -> None:
    assert skewed(12) == skewed(12)
    assert skewed(12) != skewed(13)


def test_clips_of_two_replays_share_a_name_only_where_they_are_as_long() -> None:
    takes = [take for share in (1.0, 0.5) for take in skewed(12, share=share)]
    lengths: dict[str, set[float]] = {}
    for take in takes:
        lengths.setdefault(name_of(take), set()).add(round(take.seconds, 3))
    assert all(len(some) == 1 for some in lengths.values())


def test_the_trace_is_skewed_as_it_says() -> None:
    takes = skewed(12)
    groups = [take.group for take in takes]
    assert groups.count("twenty") == 20
    assert len({take.person for take in takes if take.group == "twenty"}) == 1
    hours = [take for take in takes if take.group == "hour"]
    assert [take.seconds * SCALE for take in hours] == [3600, 3600]
    assert takes == sorted(takes, key=lambda take: take.at)
    short = [take.at for take in takes if take.group == "short"]
    last_fifth = [at for at in short if at > 0.8 * 60 * 20 / SCALE]
    assert len(last_fifth) > len(short) / 4
    assert {take.has_picture for take in one_by_one(6)} == {True, False}


def test_two_times_are_told_where_they_would_be_at_full_length() -> None:
    """Below a minute one is; in a trace that is twenty times as short that is three seconds."""
    found = Estimate(least=10.0, most=30.0, waiting=0, slowest="", is_worked_on=True, weights={})
    assert not found.is_range
    assert _latest(found, SCALE) == 30.0
    assert _latest(replace(found, least=1.0, most=2.0), SCALE) == 1.0


def test_time_in_which_two_stages_ran_counts_once() -> None:
    assert _covered([(0, 4), (2, 6), (10, 11)]) == 7


def test_no_order_could_end_before_the_ideal() -> None:
    both = [ended(0.0, 10.0, 4.0), ended(0.0, 10.0, 4.0)]
    assert _ideal(both, 2, 0.0) == 10
    assert _ideal(both, 16, 0.0) == 4
    late = [ended(0.0, 2.0, 1.0), ended(100.0, 8.0, 3.0)]
    assert _ideal(late, 2, 0.0) == 104


def test_median_and_p95() -> None:
    assert median_and_p95([3.0, 1.0, 2.0]) == (3, 2.0, 3.0)
    assert median_and_p95([]) == (0, 0.0, 0.0)


@pytest.mark.parametrize("lost", [0, 2])
def test_what_is_lost_is_said(lost: int) -> None:
    found = Figures(
        name="a crowd",
        scale=20.0,
        takes=3,
        lost=lost,
        waits={"short": (3, 1.5, 3.0), "hour": (0, 0.0, 0.0)},
        idle_share=0.25,
        others_share=0.0,
        ideal=10,
        observed=20,
        begun_again=1,
        begun_again_without_a_kill=0,
        finished_twice=0,
        close={"opened": (2, 3)},
        ranges={"opened": (3, 3, 1)},
        notes=[],
    )
    told = "\n".join(lines(found))
    assert f"{lost} lost" in told
    assert "10 / 20 s = 0.50" in told
    assert "0.5 and 1.0 minutes" in told
    assert "when opened 2 of 3" in told
    assert "when opened 3 of 3 (a range for 1)" in told
    assert "hour" not in told


def test_a_school_a_hundred_times_as_large_needs_about_a_hundred_times_the_cores() -> None:
    small, large = (
        school.need(people, DEFAULT_COSTS, lambda seconds: Shape(seconds=seconds), seed=1)
        for people in (100, 10_000)
    )
    assert large.core_hours / small.core_hours == pytest.approx(100, rel=0.3)
    assert 40 < large.cores / small.cores < 120
    assert large.p95_wait <= school.MOST_WAIT_SECONDS
    assert sum(large.shares.values()) == pytest.approx(1)


def test_the_school_is_counted_with_the_patience_of_the_product() -> None:
    assert school.PATIENCE == turns.PATIENCE


def test_whoever_is_ended_takes_along_what_they_have_started() -> None:
    """A worker's processes are in its group, and some do not end when it does."""
    command = ["sh", "-c", "trap '' TERM; sleep 60 & echo; wait"]
    both = [
        subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE) for _each in "ab"
    ]
    for each in both:
        assert each.stdout is not None
        with each.stdout as lines_of:
            lines_of.readline()
    end_all(both)
    for each in both:
        with pytest.raises(ProcessLookupError):
            os.killpg(each.pid, 0)
