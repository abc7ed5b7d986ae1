"""Shoulder line, sway, crossed arms and hand to the face, from synthetic bodies."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.analysers.posture import Posture
from analysis.ports import POSE_POINTS, Measured, Sight, Talk
from analysis.results import Reason
from tests.analysis import seen

TILT, SWAY = "posture.shoulder_tilt_degrees", "posture.sway_shoulder_widths"
CROSSED, TOUCH = "posture.arms_crossed_share", "posture.self_touch_per_minute"
SHOULDER_WIDTH = 0.16


def measure(talk: Talk) -> Measured:
    found = Posture().measure(talk)
    assert set(found.measurements) | set(found.skipped) == set(Posture.provides)
    return found


def swaying(hz: float, amplitude: float, seconds: float = 60.0) -> Sight:
    """A body that moves sideways as a whole, amplitude in shoulder widths."""
    sight = seen.sight(seconds)
    path = amplitude * SHOULDER_WIDTH * np.sin(2 * np.pi * hz * sight.times)
    for name in POSE_POINTS:
        seen.move(sight, name, path, 0.0)
    return sight


def test_a_level_shoulder_line_has_no_tilt() -> None:
    assert measure(seen.talk(seen.sight())).measurements[TILT].value == pytest.approx(0, abs=0.1)


def test_a_low_shoulder_is_measured_in_degrees() -> None:
    sight = seen.sight()
    seen.move(sight, "left_shoulder", 0.0, SHOULDER_WIDTH * np.tan(np.radians(10)))
    tilt = measure(seen.talk(sight)).measurements[TILT]
    assert tilt.value == pytest.approx(10.0, abs=0.1)
    assert tilt.unit == "degrees"


@pytest.mark.parametrize("hz", [0.3, 0.7, 1.2])
def test_sway_in_the_band_is_its_standard_deviation(hz: float) -> None:
    sway = measure(seen.talk(swaying(hz, 0.2))).measurements[SWAY]
    assert sway.value == pytest.approx(0.2 / np.sqrt(2), rel=0.1)
    assert sway.interval is not None
    assert sway.interval[0] <= sway.value <= sway.interval[1]


@pytest.mark.parametrize("hz", [0.03, 0.1])
def test_slow_changes_of_place_are_no_sway(hz: float) -> None:
    assert measure(seen.talk(swaying(hz, 0.2))).measurements[SWAY].value < 0.02


def test_a_shaking_camera_is_taken_out() -> None:
    sight = swaying(0.7, 0.2)
    path = 0.2 * SHOULDER_WIDTH * np.sin(2 * np.pi * 0.7 * sight.times)
    sight.camera_shift[1:, 0] = np.diff(path)
    assert measure(seen.talk(sight)).measurements[SWAY].value < 0.01


def test_sway_is_not_told_where_the_background_cannot_be_matched() -> None:
    sight = swaying(0.7, 0.2)
    sight.camera_shift[:] = np.nan
    assert measure(seen.talk(sight)).skipped[SWAY].reason is Reason.POOR_SIGNAL


def test_sway_needs_twenty_seconds_in_one_piece() -> None:
    assert measure(seen.talk(swaying(0.7, 0.2, 15.0))).skipped[SWAY].reason is Reason.TOO_SHORT


def cross(sight: Sight, start: float, end: float) -> None:
    during = (sight.times >= start) & (sight.times < end)
    for wrist, elbow in (("left_wrist", "right_elbow"), ("right_wrist", "left_elbow")):
        x, y = seen.STANDING[elbow]
        inwards = 0.02 if x < 0.5 else -0.02
        sight.pose[during, POSE_POINTS.index(wrist), 0] = x + inwards
        sight.pose[during, POSE_POINTS.index(wrist), 1] = y - 0.02


def test_crossed_arms_have_a_share_and_a_moment() -> None:
    sight = seen.sight()
    cross(sight, 20.0, 50.0)
    found = measure(seen.talk(sight))
    assert found.measurements[CROSSED].value == pytest.approx(0.5, abs=0.02)
    (event,) = [event for event in found.events if event.kind == "arms_crossed"]
    assert (event.start, event.end) == pytest.approx((20.0, 50.0), abs=0.21)


def test_folded_hands_are_not_crossed_arms() -> None:
    sight = seen.sight()
    for name in ("left_wrist", "right_wrist"):
        sight.pose[:, POSE_POINTS.index(name), :2] = (0.5, 0.45)
    found = measure(seen.talk(sight))
    assert found.measurements[CROSSED].value == 0.0


def test_a_hand_at_the_chin_is_one_event() -> None:
    sight = seen.sight()
    during = (sight.times >= 30.0) & (sight.times < 33.0)
    sight.pose[during, POSE_POINTS.index("right_wrist"), :2] = (0.5, 0.2)
    found = measure(seen.talk(sight))
    (event,) = [event for event in found.events if event.kind == "self_touch"]
    assert (event.start, event.end) == pytest.approx((30.0, 33.0), abs=0.21)
    assert found.measurements[TOUCH].value == pytest.approx(1.0, abs=0.05)


def test_shoulders_out_of_the_picture_are_a_matter_of_framing() -> None:
    sight = seen.sight()
    sight.pose[:, POSE_POINTS.index("left_shoulder"), 2] = 0.0
    found = measure(seen.talk(sight))
    assert {skipped.reason for skipped in found.skipped.values()} == {Reason.FRAMING}
    assert "shoulders" in found.skipped[TILT].detail


def test_head_and_shoulders_say_nothing_about_arms() -> None:
    sight = seen.sight()
    sight.pose[:, POSE_POINTS.index("left_elbow") :, 2] = 0.0
    found = measure(seen.talk(sight))
    assert TILT in found.measurements
    assert SWAY in found.measurements
    assert found.skipped[CROSSED].reason is Reason.FRAMING
    assert found.skipped[TOUCH].reason is Reason.FRAMING


def test_a_far_camera_is_skipped() -> None:
    found = measure(seen.talk(seen.sight(face_px=35.0)))
    assert {skipped.reason for skipped in found.skipped.values()} == {Reason.FACE_TOO_SMALL}
