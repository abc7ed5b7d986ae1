"""Where the camera is, seen from a face: what was told, a look into the lens, or what is usual."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.ports import Options
from analysis.results import Note, Quality
from tests.analysis import seen
from tests.analysis.facing import AWAYS, DOWNS, OPENING, SHARE, measure, share_of


def test_the_personal_zero_takes_out_a_constant_lean() -> None:
    sight = seen.sight(
        yaw=seen.away_between((0.0, 20.0), angle=-12.0, else_=4.5), pitch=seen.flat(-6.0)
    )
    assert share_of(seen.talk(sight)) == pytest.approx(2 / 3, abs=0.02)


def test_a_steady_side_look_is_never_taken_for_the_zero() -> None:
    sight = seen.sight(yaw=seen.flat(25.0))
    found = measure(seen.talk(sight))
    assert found.measurements[SHARE].value == 0.0
    assert found.measurements[SHARE].quality is Quality.FAIR
    assert [event.label for event in found.events] == ["side"]


def test_somebody_who_looks_just_beside_the_lens_is_measured_with_doubt() -> None:
    found = measure(seen.talk(seen.sight(yaw=seen.flat(8.5))))
    share = found.measurements[SHARE]
    assert share.interval is not None
    assert share.interval[1] - share.interval[0] > 0.4
    assert share.quality is Quality.POOR
    assert {found.measurements[rate].quality for rate in (AWAYS, DOWNS)} == {Quality.POOR}


def test_looking_into_the_lens_at_the_start_gives_the_zero() -> None:
    sight = seen.sight(yaw=seen.away_between((3.0, 60.0), angle=0.0, else_=10.0))
    calibrated = Options(calibration=(0.0, 3.0))
    assert share_of(seen.talk(sight)) > 0.9
    found = measure(seen.talk(sight, options=calibrated))
    assert found.measurements[SHARE].value == 0.0
    assert found.gaze_zero is not None
    assert (found.gaze_zero.source, found.gaze_zero.n) == ("calibration", 15)
    assert found.gaze_zero.yaw == pytest.approx(10, abs=1)
    assert 1.0 <= found.gaze_zero.yaw_spread < 2.0


def test_looking_into_the_lens_is_no_part_of_the_talk() -> None:
    """Whoever looks away for all of the talk has not looked into the camera for 3 s of it."""
    sight = seen.sight(yaw=seen.away_between((3.0, 60.0), angle=40.0))
    found = measure(seen.talk(sight, options=Options(calibration=(0.0, 3.0))))
    assert found.measurements[SHARE].value == 0.0
    assert found.measurements[OPENING].value == 0.0
    assert found.measurements[SHARE].n == 57 * 5
    assert [event.start for event in found.events] == [pytest.approx(3.0, abs=0.2)]
    assert found.tracks["gaze.camera_facing"].start == 3.0


def test_a_restless_calibration_leaves_more_doubt() -> None:
    calm, restless = seen.sight(noise=0.5), seen.sight(noise=0.5)
    restless.head[:15, 0] = np.where(np.arange(15) % 2, 9.0, -9.0)
    spreads = []
    for sight in (calm, restless):
        zero = measure(seen.talk(sight, options=Options(calibration=(0.0, 3.0)))).gaze_zero
        assert zero is not None
        spreads.append(zero.yaw_spread)
    assert spreads[1] > 3 * spreads[0]


def test_a_calibration_that_was_not_followed_is_left_aside() -> None:
    sight = seen.sight(yaw=seen.away_between((0.0, 3.0), angle=40.0))
    found = measure(seen.talk(sight, options=Options(calibration=(0.0, 3.0))))
    assert found.measurements[SHARE].value == 1.0
    assert found.gaze_zero is not None
    assert found.gaze_zero.source == "talk"
    assert found.gaze_zero.note == Note.of("lens_looked_elsewhere")


def test_a_calibration_without_a_face_says_so() -> None:
    sight = seen.without_face(seen.sight(), 0.0, 3.0)
    zero = measure(seen.talk(sight, options=Options(calibration=(0.0, 3.0)))).gaze_zero
    assert zero is not None
    assert zero.source == "talk"
    assert zero.note == Note.of("lens_without_face")


def test_a_steady_side_look_leaves_the_usual_zero_and_its_doubt() -> None:
    zero = measure(seen.talk(seen.sight(yaw=seen.flat(25.0)))).gaze_zero
    assert zero is not None
    assert (zero.source, zero.yaw, zero.n) == ("usual", 0.0, 0)


def test_doubt_about_the_zero_widens_the_interval() -> None:
    near_the_limit = seen.sight(yaw=seen.flat(7.0), noise=0.1)
    interval = measure(seen.talk(near_the_limit)).measurements[SHARE].interval
    assert interval is not None
    assert interval[1] - interval[0] > 0.5


def test_on_a_stage_the_head_faces_a_wider_audience() -> None:
    sight = seen.sight(yaw=seen.flat(-28.0), eye_yaw=seen.flat(-30.0))
    assert share_of(seen.talk(sight, options=Options(setting="stage"))) == 1.0
    assert share_of(seen.talk(sight)) == 0.0


@pytest.mark.parametrize(
    ("position", "yaw", "pitch"),
    [("above", 0.0, -18.0), ("below", 0.0, 18.0), ("side", 15.0, 0.0)],
)
def test_the_place_of_the_camera_shifts_the_limits(position: str, yaw: float, pitch: float) -> None:
    sight = seen.sight(yaw=seen.flat(yaw), pitch=seen.flat(pitch))
    told = Options(camera_position=position)  # type: ignore[arg-type]
    assert share_of(seen.talk(sight, options=told)) == 1.0
    assert share_of(seen.talk(sight)) == 0.0


def test_a_low_phone_is_not_taken_for_a_look_down() -> None:
    looking_up_at_own_height = seen.sight(pitch=seen.flat(18.0))
    found = measure(seen.talk(looking_up_at_own_height, options=Options(camera_position="below")))
    assert found.events == ()
