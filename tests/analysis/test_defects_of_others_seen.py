"""What open-source coaches get wrong about gaze, posture and gesture, each a case to get right.

Read in their code in 2026; what they get wrong about speech stands in `test_defects_of_others.py`.
"""

from __future__ import annotations

import numpy as np
import pytest

from analysis.analysers.gaze import CameraFacing
from analysis.analysers.gesture import Gesture
from analysis.analysers.posture import Posture
from analysis.metrics import METRICS
from analysis.ports import POSE_POINTS, Sight
from analysis.registry import Analyser
from analysis.talk.talk import Talk
from tests.analysis import seen

SHARE = "gaze.camera_facing_share"
SWAY, LEAN = "posture.sway_shoulder_widths", "posture.lean_degrees"
MOVEMENT, STROKES = "gesture.movement_share", "gesture.strokes_per_minute"


def measured(analyser: Analyser, talk: Talk, metric: str) -> float:
    return analyser.measure(talk).measurements[metric].value


def placed(sight: Sight, *, scale: float = 1.0, right: float = 0.0, down: float = 0.0) -> Sight:
    """The same person smaller, and elsewhere in the picture."""
    sight.pose[:, :, :2] = sight.pose[:, :, :2] * scale + (right, down)
    sight.face_box[:] = sight.face_box * scale + np.array((right, down, 0, 0)) * seen.WIDTH
    return sight


def lively(per_second: float = 5.0) -> Sight:
    """Sways twice in five seconds, and beats time with the right hand for half of the talk."""
    sight = seen.sight(per_second=per_second)
    for name in POSE_POINTS:
        seen.move(sight, name, 0.02 * np.sin(2 * np.pi * 0.4 * sight.times), 0.0)
    beating = np.where(sight.times < 30, 0.05 * np.sin(2 * np.pi * sight.times), 0.0)
    seen.move(sight, "right_wrist", 0.0, beating.astype(np.float32))
    return sight


@pytest.mark.parametrize("yaw", [-44.0, -25.0, 25.0, 44.0])
def test_a_head_turned_by_up_to_45_degrees_does_not_face_a_webcam(yaw: float) -> None:
    assert measured(CameraFacing(), seen.talk(seen.sight(yaw=seen.flat(yaw))), SHARE) == 0.0


def test_a_face_in_the_middle_of_the_picture_is_not_thereby_turned_to_the_camera() -> None:
    middle = seen.sight(yaw=seen.flat(30.0))
    edge = placed(seen.sight(), scale=0.6, right=-0.15)
    assert measured(CameraFacing(), seen.talk(middle), SHARE) == 0.0
    assert measured(CameraFacing(), seen.talk(edge), SHARE) == 1.0


def test_wide_open_eyes_that_look_aside_are_no_eye_contact() -> None:
    sight = seen.sight(eye_yaw=seen.flat(20.0))
    sight.blink[:] = 0.0
    assert measured(CameraFacing(), seen.talk(sight), SHARE) == 0.0


def test_a_symmetrical_face_whose_eyes_look_aside_does_not_face_the_camera() -> None:
    sight = seen.sight(eye_yaw=seen.away_between((20.0, 40.0), angle=-20.0))
    share = measured(CameraFacing(), seen.talk(sight), SHARE)
    assert share == pytest.approx(40 / 60, abs=0.01)


def test_pictures_without_a_face_stay_in_the_denominator_or_lower_the_coverage() -> None:
    turned = CameraFacing().measure(seen.talk(seen.without_face(seen.sight(), 20.0, 40.0)))
    assert turned.measurements[SHARE].value == pytest.approx(40 / 60, abs=0.01)
    assert turned.measurements[SHARE].coverage == 1.0
    gone = seen.without_face(seen.sight(), 20.0, 40.0)
    gone.pose[(gone.times >= 20.0) & (gone.times < 40.0)] = np.nan
    away = CameraFacing().measure(seen.talk(gone)).measurements[SHARE]
    assert away.coverage == pytest.approx(40 / 60, abs=0.01)


def test_looking_into_the_camera_all_the_time_is_all_of_it_though_not_every_picture_is_seen() -> (
    None
):
    assert measured(CameraFacing(), seen.talk(seen.sight(per_second=5)), SHARE) == 1.0
    assert measured(CameraFacing(), seen.talk(seen.sight(per_second=2)), SHARE) == 1.0


@pytest.mark.parametrize("seconds", [1.2, 1.6, 4.0])
def test_an_episode_is_as_long_as_it_was_and_not_a_conservative_two_seconds(
    seconds: float,
) -> None:
    sight = seen.sight(yaw=seen.away_between((20.0, 20.0 + seconds), angle=30.0), per_second=10)
    (event,) = CameraFacing().measure(seen.talk(sight)).events
    assert event.end - event.start == pytest.approx(seconds, abs=0.11)


def test_hanging_arms_are_no_gestures() -> None:
    for metric in (MOVEMENT, STROKES):
        assert measured(Gesture(), seen.talk(seen.sight()), metric) == 0.0


def test_gestures_are_the_same_at_any_rate_of_sampling() -> None:
    values = [
        (measured(Gesture(), talk, MOVEMENT), measured(Gesture(), talk, STROKES))
        for talk in (seen.talk(lively(rate)) for rate in (5.0, 10.0, 25.0))
    ]
    assert np.ptp([movement for movement, _ in values]) < 0.05
    assert values[0][1] == pytest.approx(60.0, rel=0.1)
    assert np.ptp([strokes for _, strokes in values]) < 3


def test_a_lean_counts_the_same_to_either_side() -> None:
    leans = []
    for side in (-1, 1):
        sight = seen.sight()
        for name in POSE_POINTS[:-2]:
            seen.move(sight, name, side * 0.05, 0.0)
        leans.append(measured(Posture(), seen.talk(sight), LEAN))
    assert leans[0] == pytest.approx(leans[1], abs=0.01)
    assert leans[0] > 8


def test_where_somebody_stands_and_how_near_changes_neither_sway_nor_lean_nor_gesture() -> None:
    """One of them takes the hips' height for their place, so that its unit is wrong."""
    plain = seen.talk(lively())
    moved = seen.talk(placed(lively(), scale=0.6, right=0.3, down=0.1))
    for analyser, metric in ((Posture(), SWAY), (Posture(), LEAN), (Gesture(), STROKES)):
        assert measured(analyser, moved, metric) == pytest.approx(
            measured(analyser, plain, metric), rel=0.02, abs=0.01
        ), metric


def test_nobody_is_said_to_be_open_confident_or_engaged() -> None:
    words = " ".join(f"{metric.id} {metric.definition}" for metric in METRICS).lower()
    for word in ("confiden", "engag", "openness", "nervous", "eye contact"):
        assert word not in words, word
