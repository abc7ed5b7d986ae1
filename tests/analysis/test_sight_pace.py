"""More pictures where something moves, and never so many that the stage becomes slow."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from av import VideoFrame

from analysis.analysers.gaze import CameraFacing
from analysis.analysers.gesture import Gesture
from analysis.analysers.head import HeadDirection
from analysis.analysers.posture import Posture
from analysis.backends.media.frames import LazyFrame, Painter, sampled_frames, sampled_moments
from analysis.backends.sight.face import Face
from analysis.backends.sight.pace import (
    TokenBucket,
    has_turned,
    has_wrist_moved,
    with_extra_pictures,
)
from analysis.backends.sight.watching import watch_file
from analysis.ports import POSE_POINTS, FloatArray, Sight
from analysis.registry import Analyser
from tests.analysis import seen
from tests.analysis.recordings import Picture, record


def moments(*times: float) -> list[LazyFrame]:
    frame, painter = VideoFrame(2, 2, "rgb24"), Painter.__new__(Painter)
    return [LazyFrame(time=time, picture=frame, painter=painter) for time in times]


def face(yaw: float, *, eyes: float = 0.0, blink: float = 0.1) -> Face:
    return Face((0, 0, 100, 120), yaw=yaw, pitch=0, roll=0, eyes=(eyes, 0.0), blink=blink)


def body(**moved: float) -> FloatArray:
    """The standing person with points moved sideways by so many shoulder widths."""
    pose = seen.standing(1)[0]
    for name, widths in moved.items():
        pose[POSE_POINTS.index(name), 0] += 0.16 * widths
    return pose


def test_the_samples_are_those_that_a_steady_rate_takes() -> None:
    found = list(with_extra_pictures(moments(0.0, 0.1, 0.2, 0.3, 0.4), 5.0))
    assert [sample.time for sample, _ in found] == [0.0, 0.2, 0.4]
    assert [between and between.time for _, between in found] == [None, 0.1, 0.3]


EVEN = [tuple(index / rate for index in range(2 * rate)) for rate in (12, 25, 30, 60)]
VARYING = tuple(np.cumsum(np.random.default_rng(5).uniform(0.02, 0.09, 40)).round(3).tolist())


@pytest.mark.parametrize("times", [*EVEN, VARYING], ids=["12", "25", "30", "60", "varying"])
def test_whatever_the_rate_of_the_file(tmp_path: Path, times: tuple[float, ...]) -> None:
    path = record(tmp_path / "clip.mp4", picture=Picture(times=times))
    steady = [frame.time for frame in sampled_frames(path, per_second=5, max_side=64)]
    found = list(with_extra_pictures(sampled_moments(path, per_second=10, max_side=64), 5.0))
    assert [sample.time for sample, _ in found] == steady
    for (before, _), (now, between) in pairwise(found):
        assert between is None or before.time < between.time < now.time
    assert sum(between is not None for _, between in found) >= len(found) - 2


def test_a_turn_of_head_or_eyes_asks_for_more() -> None:
    assert has_turned(face(0), face(12))
    assert has_turned(face(0, eyes=0), face(0, eyes=12))
    assert has_turned(face(0), None)
    assert not has_turned(face(0), face(5))
    assert not has_turned(face(10, eyes=-10), face(4, eyes=-4))
    assert not has_turned(face(0), face(0, eyes=12, blink=0.6))
    assert not has_turned(None, None)


def test_a_quick_hand_asks_for_more_and_a_walk_does_not() -> None:
    assert has_wrist_moved(body(), body(right_wrist=0.3))
    assert not has_wrist_moved(body(), body(right_wrist=0.1))
    assert not has_wrist_moved(body(), body(**dict.fromkeys(POSE_POINTS, 0.5)))
    unseen = body(right_wrist=0.3)
    unseen[POSE_POINTS.index("right_wrist"), 2] = 0.1
    assert not has_wrist_moved(body(), unseen)
    assert not has_wrist_moved(body(), np.full_like(body(), np.nan))


def test_restless_talks_stay_within_the_budget_and_calm_ones_save_for_later() -> None:
    restless, calm = TokenBucket(), TokenBucket()
    assert sum(restless.takes(moved=True) for _ in range(1000)) == 150
    assert not any(calm.takes(moved=False) for _ in range(1000))
    assert sum(calm.takes(moved=True) for _ in range(12)) == 11


def uneven(sight: Sight) -> Sight:
    """Of ten samples a second every other one, but all of them in some stretches."""
    kept = np.arange(len(sight.times)) % 2 == 0
    kept |= (sight.times % 10 >= 2) & (sight.times % 10 < 3)
    return seen.some_of(sight, kept, source_step=0.2)


@pytest.mark.parametrize("analyser", [CameraFacing(), HeadDirection(), Posture(), Gesture()])
def test_where_more_was_looked_at_the_measures_stay_the_same(analyser: Analyser) -> None:
    whole = restless_talk()
    even = seen.some_of(whole, np.arange(len(whole.times)) % 2 == 0, source_step=0.2)
    steady = analyser.measure(seen.talk(even)).measurements
    closer = analyser.measure(seen.talk(uneven(whole))).measurements
    assert set(steady) == set(closer)
    for name, measurement in steady.items():
        assert closer[name].value == pytest.approx(measurement.value, rel=0.06, abs=0.06), name
        assert closer[name].n <= 1.25 * measurement.n + 1 or name.endswith("minute")


def restless_talk() -> Sight:
    """Turns that fall into the stretches that are looked at more often, waving hands, sway."""
    turns = seen.away_between(*((t, t + 1.5) for t in np.arange(2.5, 90, 10)), angle=30.0)
    sight = seen.sight(90.0, per_second=10.0, yaw=turns, noise=0.3)
    seen.move(sight, "right_wrist", 0.0, (0.05 * np.sin(2 * np.pi * sight.times)).astype("f4"))
    for name in POSE_POINTS:
        seen.move(sight, name, (0.02 * np.sin(4 * sight.times)).astype("f4"), 0.0)
    return sight


@pytest.mark.usefixtures("faces")
def test_a_real_clip_is_looked_at_more_closely_where_she_turns(shared_media: Path) -> None:
    path = shared_media / "3_video/lp_d6.mp4"
    steady = [frame.time for frame in sampled_frames(path, per_second=5, max_side=64, end=10)]
    sight = watch_file(path, spans=((0.0, 10.0),))
    assert set(np.float32(steady)) <= set(sight.times)
    assert len(steady) + 3 <= len(sight.times) <= 1.15 * len(steady) + 1
    assert (np.diff(sight.times) > 0).all()
