"""Median head angles, and whether there is a face at all."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.analysers.head import HeadDirection
from analysis.analysers.visibility import Visibility
from analysis.ports import Options, Sight
from analysis.results import Reason
from tests.analysis import seen

YAW, PITCH = "head.yaw_degrees", "head.pitch_degrees"
VISIBLE = "signal.face_visible_share"


def test_the_angles_are_medians_over_speech() -> None:
    sight = seen.sight(yaw=seen.away_between((30.0, 60.0), angle=50.0, else_=12.0))
    found = HeadDirection().measure(seen.talk(sight, speech=((0.0, 30.0),)))
    assert found.measurements[YAW].value == pytest.approx(12.0, abs=0.5)
    assert found.measurements[PITCH].value == pytest.approx(0.0, abs=0.5)
    interval = found.measurements[YAW].interval
    assert interval is not None
    assert interval[0] < 12.0 < interval[1]
    assert found.tracks["head.yaw"].values[45] == pytest.approx(50.0, abs=1.5)


def test_a_mirrored_recording_turns_the_yaw_round() -> None:
    sight = seen.sight(yaw=seen.flat(12.0))
    found = HeadDirection().measure(seen.talk(sight, options=Options(mirrored=True)))
    assert found.measurements[YAW].value == pytest.approx(-12.0, abs=0.5)


def test_no_face_no_angle() -> None:
    sight = seen.without_face(seen.sight(), 0.0, 60.0)
    sight.pose[:] = np.nan
    found = HeadDirection().measure(seen.talk(sight))
    assert {skipped.reason for skipped in found.skipped.values()} == {Reason.NO_FACE}


def test_the_visible_share_is_over_speech_and_the_absence_is_an_event() -> None:
    sight = seen.without_face(seen.sight(), 20.0, 40.0)
    sight.pose[(sight.times >= 20.0) & (sight.times < 40.0)] = np.nan
    found = Visibility().measure(seen.talk(sight, speech=((0.0, 30.0),)))
    assert found.measurements[VISIBLE].value == pytest.approx(2 / 3, abs=0.02)
    (event,) = found.events
    assert event.kind == "out_of_view"
    assert (event.start, event.end) == pytest.approx((20.0, 40.0), abs=0.21)
    assert found.tracks["gaze.face_visible"].values[25] == 0.0


def test_somebody_who_turns_round_is_still_in_view() -> None:
    found = Visibility().measure(seen.talk(seen.without_face(seen.sight(), 20.0, 40.0)))
    assert found.events == ()


def test_a_recording_of_one_picture_is_skipped() -> None:
    found = Visibility().measure(seen.talk(seen.sight(0.2)))
    assert found.skipped[VISIBLE].reason is Reason.TOO_SHORT


def without_anybody(start: float, end: float, *, cuts: tuple[float, ...] = ()) -> Sight:
    """A minute in which nobody is seen for a while, with cuts at which no background matches."""
    sight = seen.without_face(seen.sight(), start, end)
    sight.pose[(sight.times >= start) & (sight.times < end)] = np.nan
    for cut in cuts:
        sight.camera_shift[np.abs(sight.times - cut) < 0.05] = np.nan
    return sight


@pytest.mark.parametrize(
    ("start", "end", "cuts"),
    [(20.0, 40.0, (20.0, 40.0)), (40.0, 60.0, (40.0,)), (0.0, 20.0, (20.0,))],
)
def test_slides_that_a_film_cuts_to_are_no_absence(
    start: float, end: float, cuts: tuple[float, ...]
) -> None:
    found = Visibility().measure(seen.talk(without_anybody(start, end, cuts=cuts)))
    assert found.events == ()
    measured = found.measurements[VISIBLE]
    assert measured.value == pytest.approx(1.0)
    assert measured.coverage == pytest.approx(2 / 3, abs=0.02)


@pytest.mark.parametrize("cuts", [(), (20.0,), (40.0,)])
def test_whoever_leaves_a_room_or_comes_back_into_it_was_absent(cuts: tuple[float, ...]) -> None:
    found = Visibility().measure(seen.talk(without_anybody(20.0, 40.0, cuts=cuts)))
    assert len(found.events) == 1
    assert found.measurements[VISIBLE].value == pytest.approx(2 / 3, abs=0.02)


def test_at_a_cut_the_background_may_seem_to_jump() -> None:
    sight = without_anybody(20.0, 40.0)
    for cut in (20.0, 40.0):
        sight.camera_shift[np.abs(sight.times - cut) < 0.05] = (-0.06, 0.02)
    assert not Visibility().measure(seen.talk(sight)).events


def test_on_a_camera_that_is_carried_about_nobody_knows_of_cuts() -> None:
    sight = without_anybody(20.0, 40.0, cuts=(20.0, 40.0))
    sight.camera_shift[:] = np.nan_to_num(sight.camera_shift) + 0.02
    assert len(Visibility().measure(seen.talk(sight)).events) == 1


def test_before_a_wall_where_nothing_matches_nobody_knows_of_cuts() -> None:
    sight = without_anybody(20.0, 40.0)
    sight.camera_shift[:] = np.nan
    assert len(Visibility().measure(seen.talk(sight)).events) == 1


def test_a_lens_that_is_covered_is_an_absence() -> None:
    sight = without_anybody(20.0, 40.0, cuts=(20.0, 40.0))
    sight.light[(sight.times >= 20.0) & (sight.times < 40.0)] = 0.0
    assert len(Visibility().measure(seen.talk(sight)).events) == 1


def test_of_a_film_that_shows_hardly_anybody_it_is_said_that_nobody_is_seen() -> None:
    found = Visibility().measure(seen.talk(without_anybody(4.0, 60.0, cuts=(4.0,))))
    assert found.measurements[VISIBLE].value == pytest.approx(4 / 60, abs=0.02)
    assert len(found.events) == 1
