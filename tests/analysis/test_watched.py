"""Samples as time: weights, settled states, episodes and intervals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.analysers.gaze import CameraFacing
from analysis.ports import Options, Sight
from analysis.results import Quality, Reason, Skipped
from analysis.talk.visual_samples import (
    Flags,
    Numbers,
    VisualSamples,
    bootstrap,
    episodes,
    frozen,
    runs,
    share_interval,
    smooth_states,
    visual_samples,
)
from tests.analysis import seen


def samples_of(talk_length: float = 20.0, **kwargs: object) -> VisualSamples:
    found = visual_samples(seen.talk(seen.sight(talk_length), **kwargs))  # type: ignore[arg-type]
    assert isinstance(found, VisualSamples)
    return found


def test_the_weights_add_up_to_the_watched_time() -> None:
    assert samples_of().seconds.sum() == pytest.approx(20.0, abs=0.01)


def test_the_speech_weights_add_up_to_the_speech() -> None:
    samples = samples_of(speech=((1.05, 3.0), (3.4, 9.0), (15.0, 19.0)))
    assert samples.speech.sum() == pytest.approx(11.55, abs=0.01)


def test_a_hole_in_the_picture_is_not_watched_time() -> None:
    sight = seen.sight(20.0)
    sight.times[50:] += 100.0
    samples = visual_samples(seen.talk(sight, speech=((0.0, 10.0), (110.0, 120.0))))
    assert isinstance(samples, VisualSamples)
    assert samples.seconds.sum() < 21.0


def hanging(start: float, end: float, *, length: float = 60.0) -> Sight:
    """A picture that hangs for so long, coded anew every ten seconds; lively in light else."""
    whole = seen.sight(length)
    whole.light[:] += np.random.default_rng(5).normal(0, 1e-3, len(whole.times))
    hangs = (whole.times >= start) & (whole.times <= end)
    whole.light[hangs] = 0.5
    whole.head[hangs] = (20.0, 0.0, 0.0)
    whole.light[hangs & (np.abs(whole.times % 10 - 5) < 0.1)] = 0.501
    return whole


def test_a_picture_that_hangs_is_not_watched_time() -> None:
    samples = visual_samples(seen.talk(hanging(20.0, 40.0)))
    assert isinstance(samples, VisualSamples)
    assert samples.seconds.sum() == pytest.approx(40.0, abs=2.0)
    assert not (samples.sight.head[:, 0] == 20.0).any()


def test_a_picture_that_hangs_turned_away_is_no_look_away() -> None:
    found = CameraFacing().measure(seen.talk(hanging(20.0, 40.0)))
    assert found.measurements["gaze.camera_facing_share"].value == pytest.approx(1.0, abs=0.01)
    assert [event for event in found.events if event.kind == "look_away"] == []


def test_a_picture_that_hangs_for_most_of_the_talk_says_so() -> None:
    reason = visual_samples(seen.talk(hanging(5.0, 55.0)))
    assert isinstance(reason, Skipped)
    assert reason.reason == Reason.POOR_SIGNAL
    assert "stood still for 8" in reason.detail


def hanging_in_vp8(moves: float) -> Sight:
    """A hang from 20 to 40 s that is coded anew in every picture, and clearly so in every fifth;
    `moves`: times what VP8 makes.
    """
    whole, draw = hanging(20.0, 40.0), np.random.default_rng(6)
    hangs = np.flatnonzero((whole.times >= 20.0) & (whole.times <= 40.0))
    whole.light[hangs] = 0.5 + moves * draw.uniform(-1e-4, 1e-4, len(hangs))
    refreshed = 0.2 * (np.arange(len(hangs)) // 5 % 2)[:, None]
    whole.head[hangs] += moves * (refreshed + draw.uniform(-0.015, 0.015, (len(hangs), 3)))
    whole.face_box[hangs] += moves * draw.uniform(-0.3, 0.3, (len(hangs), 4))
    return whole


def test_a_hang_that_is_coded_anew_in_every_picture_is_not_watched_time() -> None:
    shown = hanging_in_vp8(1.0)
    assert frozen(shown)[(shown.times >= 20.5) & (shown.times <= 39.5)].all()
    assert not frozen(shown)[(shown.times < 19.0) | (shown.times > 41.0)].any()
    samples = visual_samples(seen.talk(shown))
    assert isinstance(samples, VisualSamples)
    assert samples.seconds.sum() == pytest.approx(40.0, abs=2.0)


def test_somebody_who_hardly_moves_for_a_while_is_watched() -> None:
    assert not frozen(hanging_in_vp8(6.0)).any()


def test_somebody_who_keeps_still_for_two_seconds_or_moves_in_even_light_is_watched() -> None:
    assert not frozen(hanging(20.0, 22.0)).any()
    assert not frozen(seen.sight(60.0)).any()


def slow(per_second: float, *, yaw: seen.ANGLES | None = None) -> Sight:
    """A camera that gives so many pictures a second, in a film that repeats each of them."""
    whole = seen.sight(60.0, yaw=yaw)
    whole.light[:] += np.random.default_rng(5).normal(0, 1e-3, len(whole.times))
    first = np.floor(whole.times * per_second + 1e-3) / per_second
    shown = np.searchsorted(whole.times, first - 1e-3)
    return replace(whole, light=whole.light[shown], head=whole.head[shown], eyes=whole.eyes[shown])


@pytest.mark.parametrize(("per_second", "quality"), [(2.5, Quality.FAIR), (1.0, Quality.POOR)])
def test_a_slow_camera_is_no_picture_that_hangs(per_second: float, quality: Quality) -> None:
    shown = slow(per_second)
    assert not frozen(shown).any()
    samples = visual_samples(seen.talk(shown))
    assert isinstance(samples, VisualSamples)
    assert samples.step == pytest.approx(1 / per_second, abs=0.01)
    assert samples.seconds.sum() == pytest.approx(60.0, abs=1.0)
    share = CameraFacing().measure(seen.talk(shown)).measurements["gaze.camera_facing_share"]
    assert share.quality is quality


def test_a_glance_that_a_slow_camera_repeats_is_no_look_away() -> None:
    shown = slow(1.0, yaw=seen.away_between((20.0, 20.4), angle=30.0))
    assert CameraFacing().measure(seen.talk(shown)).events == ()


@given(st.lists(st.booleans(), max_size=60))
def test_runs_cover_exactly_what_is_flagged(flags: list[bool]) -> None:
    covered = np.zeros(len(flags), dtype=bool)
    for first, behind in runs(np.array(flags, dtype=bool)):
        assert first < behind
        assert not covered[first:behind].any()
        covered[first:behind] = True
    assert covered.tolist() == flags


def test_a_state_must_last_to_count() -> None:
    seconds = np.full(8, 0.2)
    state = np.array([1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0])
    assert smooth_states(state, seconds, hold=0.3).tolist() == [1, 1, 1, 1, 1, 0, 0, 1]


def test_episodes_are_half_open_and_no_shorter_than_asked() -> None:
    samples = samples_of()
    flags = (samples.times >= 5.0) & (samples.times < 7.0)
    flags |= samples.times == samples.times[60]
    ((first, behind, start, end),) = episodes(samples, flags, shortest=1.0)
    assert (first, behind) == (25, 35)
    assert (start, end) == pytest.approx((4.9, 6.9), abs=0.01)


def test_the_share_interval_shrinks_with_the_length_of_the_talk() -> None:
    def width(seconds: float) -> float:
        samples = samples_of(seconds)
        flags = np.floor(samples.times / 7) % 2 == 0
        low, high = share_interval(samples, flags, np.ones(len(flags), dtype=bool))
        assert low <= 0.5 + 0.05
        assert high >= 0.5 - 0.05
        return high - low

    assert width(600.0) < width(60.0) / 2


def test_resampling_is_the_same_every_time() -> None:
    values = np.arange(30.0)
    assert (bootstrap(values, values + 1) == bootstrap(values, values + 1)).all()


def test_a_picture_that_ends_long_before_the_speech_says_nothing_of_the_talk() -> None:
    short = visual_samples(seen.talk(seen.sight(9.0), speech=((0.0, 30.0),)))
    assert isinstance(short, Skipped)
    assert short.reason is Reason.LOW_COVERAGE
    assert short.values == {"seen": pytest.approx(0.3, abs=0.01), "needed": 0.6}
    assert isinstance(
        visual_samples(seen.talk(seen.sight(20.0), speech=((0.0, 30.0),))), VisualSamples
    )


@pytest.mark.parametrize(
    ("is_there", "code"),
    [
        (lambda times: times % 10 < 4, "picture_in_pieces"),
        (lambda times: (times < 6) | (times >= 24), "picture_in_pieces"),
        (lambda times: times < 12, "picture_part"),
        (lambda times: times >= 18, "picture_part"),
    ],
)
def test_a_picture_in_bursts_is_told_apart_from_one_that_ends(
    is_there: Callable[[Numbers], Flags], code: str
) -> None:
    whole = seen.sight(30.0)
    kept = np.flatnonzero(is_there(whole.times))
    parts = {
        item.name: value[kept]
        for item in fields(whole)
        if isinstance(value := getattr(whole, item.name), np.ndarray)
    }
    found = visual_samples(seen.talk(replace(whole, **parts), speech=((0.0, 30.0),)))
    assert isinstance(found, Skipped)
    assert found.code == code
    assert found.values == {"seen": pytest.approx(0.4, abs=0.04), "needed": 0.6}


def test_only_the_part_that_is_measured_needs_a_picture() -> None:
    speech = ((0.0, 60.0),)
    for options in (Options(end=10.0), Options(left_out=((10.0, 60.0),))):
        found = visual_samples(seen.talk(seen.sight(10.0), speech=speech, options=options))
        assert isinstance(found, VisualSamples)
