"""Crossed arms, hidden hands, a hand at the face, from synthetic bodies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.analysers.arms import Arms
from analysis.ports import POSE_POINTS, Measured, Options, Sight
from analysis.results import Reason
from analysis.talk.talk import Talk
from tests.analysis import seen

CROSSED, TOUCH = "posture.arms_crossed_share", "posture.self_touch_per_minute"
HIDDEN = "posture.hands_hidden_share"


def measure(talk: Talk) -> Measured:
    found = Arms().measure(talk)
    assert set(found.measurements) | set(found.skipped) == set(Arms.provides)
    return found


def lose(sight: Sight, *names: str, start: float = 0.0, end: float = 1e9) -> None:
    """These points are not seen in this time."""
    during = (sight.times >= start) & (sight.times < end)
    for name in names:
        sight.pose[during, POSE_POINTS.index(name), 2] = 0.1


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


def test_hands_behind_the_back_are_out_of_sight() -> None:
    sight = seen.sight()
    lose(sight, "left_wrist", "right_wrist", start=20.0, end=35.0)
    found = measure(seen.talk(sight))
    assert found.measurements[HIDDEN].value == pytest.approx(0.25, abs=0.02)
    (event,) = [event for event in found.events if event.kind == "hands_hidden"]
    assert (event.start, event.end) == pytest.approx((20.0, 35.0), abs=0.21)


def test_one_hand_in_a_pocket_or_a_hand_lost_for_a_moment_is_not_hidden() -> None:
    sight = seen.sight()
    lose(sight, "left_wrist")
    lose(sight, "right_wrist", start=20.0, end=21.0)
    found = measure(seen.talk(sight))
    assert found.measurements[HIDDEN].value == 0.0
    assert found.events == ()


def test_hands_below_the_picture_are_not_hidden() -> None:
    sight = seen.sight()
    lose(sight, "left_wrist", "right_wrist", "left_hip", "right_hip")
    found = measure(seen.talk(sight))
    assert found.skipped[HIDDEN].reason is Reason.FRAMING
    assert "below the picture" in found.skipped[HIDDEN].detail
    assert CROSSED in found.measurements


def test_with_one_arm_in_the_picture_nothing_is_said_of_two() -> None:
    sight = seen.sight()
    lose(sight, "left_elbow", "left_wrist")
    found = measure(seen.talk(sight))
    assert found.skipped[CROSSED].reason is Reason.FRAMING
    assert found.skipped[HIDDEN].reason is Reason.FRAMING
    assert TOUCH in found.measurements


def test_head_and_shoulders_say_nothing_about_arms() -> None:
    sight = seen.sight()
    sight.pose[:, POSE_POINTS.index("left_elbow") :, 2] = 0.0
    found = measure(seen.talk(sight))
    assert {skipped.reason for skipped in found.skipped.values()} == {Reason.FRAMING}


def test_whoever_asks_not_to_analyse_hands_is_not_told_about_arms() -> None:
    sight = seen.sight()
    cross(sight, 20.0, 50.0)
    found = measure(seen.talk(sight, options=Options(skip=frozenset({"gesture"}))))
    assert {each.reason for each in found.skipped.values()} == {Reason.DISABLED_BY_PROFILE}
    assert found.events == ()


def test_without_a_look_at_the_face_no_touch_of_it_is_counted_as_none() -> None:
    sight = replace(seen.without_face(seen.sight(), 0.0, 60.0), watched=("pose",))
    found = measure(seen.talk(sight))
    assert found.skipped[TOUCH].reason is Reason.DISABLED_BY_PROFILE
    assert CROSSED in found.measurements


def test_a_face_that_is_hardly_seen_allows_no_rate_of_touches() -> None:
    found = measure(seen.talk(seen.without_face(seen.sight(), 0.0, 40.0)))
    assert found.skipped[TOUCH].reason is Reason.TOO_SHORT


def test_a_far_camera_is_skipped() -> None:
    found = measure(seen.talk(seen.sight(face_px=35.0)))
    assert {skipped.reason for skipped in found.skipped.values()} == {Reason.FACE_TOO_SMALL}
