"""Shoulder line, lean and sway, from synthetic bodies."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.analysers.posture import Posture
from analysis.ports import POSE_POINTS, Measured, Options, Sight
from analysis.results import Reason, Skipped
from analysis.talk.face_view import face_samples
from analysis.talk.talk import Talk
from tests.analysis import seen

TILT, SWAY = "posture.shoulder_tilt_degrees", "posture.sway_shoulder_widths"
LEAN = "posture.lean_degrees"
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


def leaning(degrees: float, sight: Sight) -> Sight:
    """The trunk turned about the middle of the hips, in the picture."""
    hips = np.array([0.5, 0.52])
    turn = np.radians(degrees)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    for index in range(len(POSE_POINTS) - 2):
        points = sight.pose[:, index, :2] - hips
        sight.pose[:, index, :2] = points @ rotation.T + hips
    return sight


@pytest.mark.parametrize("degrees", [-20.0, 0.0, 8.0])
def test_a_lean_is_measured_in_degrees_to_either_side(degrees: float) -> None:
    lean = measure(seen.talk(leaning(degrees, seen.sight()))).measurements[LEAN]
    assert lean.value == pytest.approx(abs(degrees), abs=0.1)
    assert lean.interval is not None


def test_a_long_lean_is_a_moment_to_look_at() -> None:
    sight = seen.sight()
    leant = leaning(15.0, seen.sight())
    during = (sight.times >= 20) & (sight.times < 30)
    sight.pose[during] = leant.pose[during]
    (event,) = measure(seen.talk(sight)).events
    assert event.kind == "leaning"
    assert (event.start, event.end) == pytest.approx((20.0, 30.0), abs=0.21)
    assert event.detail["degrees"] == pytest.approx(15.0, abs=0.2)


def test_without_hips_in_the_picture_nothing_is_said_of_a_lean() -> None:
    sight = leaning(15.0, seen.sight())
    sight.pose[:, POSE_POINTS.index("left_hip") :, 2] = 0.0
    found = measure(seen.talk(sight))
    assert found.skipped[LEAN].reason is Reason.FRAMING
    assert "hips" in found.skipped[LEAN].detail
    assert found.events == ()
    assert {TILT, SWAY} <= set(found.measurements)


def test_a_lean_is_not_measured_on_a_chair_and_nobody_is_told_to_stand() -> None:
    found = measure(seen.talk(leaning(15.0, seen.sight()), options=Options(setting="seated")))
    assert found.skipped[LEAN].reason is Reason.FRAMING
    assert "sit" in found.skipped[LEAN].detail
    assert "stand" not in found.skipped[LEAN].detail.casefold()


def test_shoulders_out_of_the_picture_are_a_matter_of_framing() -> None:
    sight = seen.sight()
    sight.pose[:, POSE_POINTS.index("left_shoulder"), 2] = 0.0
    found = measure(seen.talk(sight))
    assert {skipped.reason for skipped in found.skipped.values()} == {Reason.FRAMING}
    assert "shoulders" in found.skipped[TILT].detail


def test_nobody_is_told_to_move_a_covered_camera_back() -> None:
    sight = seen.sight()
    sight.light[:] = 0.0
    sight.pose[:, :, 2] = 0.0
    found = measure(seen.talk(seen.without_face(sight, 0.0, 1e9)))
    assert {skipped.reason for skipped in found.skipped.values()} == {Reason.POOR_SIGNAL}
    assert "almost black" in found.skipped[TILT].detail


@pytest.mark.parametrize(("light", "told"), [(0.08, "too dark"), (0.12, "Move the camera back")])
def test_who_sits_in_the_dark_is_told_of_the_light_and_not_to_move(light: float, told: str) -> None:
    sight = seen.sight()
    sight.light[:] = light
    sight.pose[:, :, 2] = 0.0
    found = measure(seen.talk(sight))
    assert told in found.skipped[TILT].detail
    nobody = face_samples(seen.talk(seen.without_face(sight, 0.0, 1e9)))
    assert isinstance(nobody, Skipped)
    assert ("too dark" in nobody.detail) == (told == "too dark")


def test_a_far_camera_is_skipped() -> None:
    found = measure(seen.talk(seen.sight(face_px=35.0)))
    assert {skipped.reason for skipped in found.skipped.values()} == {Reason.FACE_TOO_SMALL}


def test_whoever_is_far_away_is_not_told_to_move_the_camera_back() -> None:
    """Of somebody so small not even the shoulders are found."""
    sight = seen.sight(face_px=35.0)
    sight.pose[:] = np.nan
    found = measure(seen.talk(sight))
    assert {skipped.reason for skipped in found.skipped.values()} == {Reason.FACE_TOO_SMALL}
    assert all("Come closer" in skipped.detail for skipped in found.skipped.values())


def test_a_picture_on_its_side_has_no_upright_to_measure_from() -> None:
    sight = seen.sight()
    sight.head[:, 2] = -88.0
    found = measure(seen.talk(sight))
    assert {skipped.reason for skipped in found.skipped.values()} == {Reason.FRAMING}
    assert "sideways" in found.skipped[LEAN].detail
