"""Hands seen, moving and still, from synthetic bodies."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.analysers.gesture import Gesture
from analysis.ports import POSE_POINTS, Measured, Sight
from analysis.results import Reason
from analysis.talk.talk import Talk
from tests.analysis import seen

VISIBLE, MOVEMENT = "gesture.hands_visible_share", "gesture.movement_share"
STROKES, STILL = "gesture.strokes_per_minute", "gesture.longest_still_seconds"
SHOULDER_WIDTH = 0.16
WRISTS = ("left_wrist", "right_wrist")


def measure(talk: Talk) -> Measured:
    found = Gesture().measure(talk)
    assert set(found.measurements) | set(found.skipped) == set(Gesture.provides)
    return found


def waving(start: float, end: float, *, hz: float = 1.0, per_second: float = 5.0) -> Sight:
    """The right hand goes up and down by 0.3 shoulder widths in this time."""
    sight = seen.sight(120.0, per_second=per_second)
    inside = (sight.times >= start) & (sight.times < end)
    path = 0.3 * SHOULDER_WIDTH * np.sin(2 * np.pi * hz * sight.times)
    seen.move(sight, "right_wrist", 0.0, np.where(inside, path, 0.0).astype(np.float32))
    return sight


def test_hanging_hands_are_visible_and_still() -> None:
    found = measure(seen.talk(seen.sight(120.0)))
    assert found.measurements[VISIBLE].value == 1.0
    assert found.measurements[MOVEMENT].value == 0.0
    assert found.measurements[STROKES].value == 0.0
    assert found.measurements[STILL].value == pytest.approx(120.0, abs=0.5)
    assert [event.kind for event in found.events] == ["hands_still"]


def test_a_waving_hand_moves_for_as_long_as_it_waves() -> None:
    found = measure(seen.talk(waving(30.0, 60.0)))
    assert found.measurements[MOVEMENT].value == pytest.approx(0.25, abs=0.03)
    (event,) = [event for event in found.events if event.kind == "hands_moving"]
    assert (event.start, event.end) == pytest.approx((30.0, 60.0), abs=0.5)
    assert found.measurements[STILL].value == pytest.approx(60.0, abs=1.0)


def test_strokes_are_counted_one_for_each_up_or_down() -> None:
    found = measure(seen.talk(waving(0.0, 120.0, per_second=10.0)))
    assert found.measurements[STROKES].value == pytest.approx(120.0, rel=0.05)


def test_walking_with_quiet_hands_is_no_gesture() -> None:
    sight = seen.sight(120.0)
    path = 0.5 * SHOULDER_WIDTH * np.sin(2 * np.pi * 0.5 * sight.times)
    for name in POSE_POINTS:
        seen.move(sight, name, path, 0.0)
    assert measure(seen.talk(sight)).measurements[MOVEMENT].value == 0.0


def test_hidden_hands_are_a_low_share_and_nothing_is_said_of_their_movement() -> None:
    sight = seen.sight(120.0)
    for name in WRISTS:
        sight.pose[: int(0.8 * len(sight.times)), POSE_POINTS.index(name), 2] = 0.0
    found = measure(seen.talk(sight))
    assert found.measurements[VISIBLE].value == pytest.approx(0.2, abs=0.01)
    assert {found.skipped[metric].reason for metric in (MOVEMENT, STROKES, STILL)} == {
        Reason.LOW_COVERAGE
    }


def test_one_hand_in_the_picture_is_enough() -> None:
    sight = seen.sight(120.0)
    sight.pose[:, POSE_POINTS.index("left_wrist"), 2] = 0.0
    assert measure(seen.talk(sight)).measurements[VISIBLE].value == 1.0


def test_head_and_shoulders_are_a_matter_of_framing() -> None:
    sight = seen.sight()
    sight.pose[:, POSE_POINTS.index("left_elbow") :, 2] = 0.0
    found = measure(seen.talk(sight))
    assert {skipped.reason for skipped in found.skipped.values()} == {Reason.FRAMING}
    assert "Move the camera back" in found.skipped[VISIBLE].detail


def test_a_far_camera_is_skipped() -> None:
    found = measure(seen.talk(seen.sight(face_px=35.0)))
    assert {skipped.reason for skipped in found.skipped.values()} == {Reason.FACE_TOO_SMALL}


def test_a_short_take_has_shares_but_no_rate() -> None:
    found = measure(seen.talk(seen.sight(10.0)))
    assert VISIBLE in found.measurements
    assert found.skipped[STROKES].reason is Reason.TOO_SHORT
