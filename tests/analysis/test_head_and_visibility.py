"""Median head angles, and whether there is a face at all."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.analysers.head import Head
from analysis.analysers.visibility import Visibility
from analysis.ports import Options
from analysis.results import Reason
from tests.analysis import seen

YAW, PITCH = "head.yaw_degrees", "head.pitch_degrees"
VISIBLE = "signal.face_visible_share"


def test_the_angles_are_medians_over_speech() -> None:
    sight = seen.sight(yaw=seen.away_between((30.0, 60.0), angle=50.0, else_=12.0))
    found = Head().measure(seen.talk(sight, speech=((0.0, 30.0),)))
    assert found.measurements[YAW].value == pytest.approx(12.0, abs=0.5)
    assert found.measurements[PITCH].value == pytest.approx(0.0, abs=0.5)
    interval = found.measurements[YAW].interval
    assert interval is not None
    assert interval[0] < 12.0 < interval[1]
    assert found.tracks["head.yaw"].values[45] == pytest.approx(50.0, abs=1.5)


def test_a_mirrored_recording_turns_the_yaw_round() -> None:
    sight = seen.sight(yaw=seen.flat(12.0))
    found = Head().measure(seen.talk(sight, options=Options(mirrored=True)))
    assert found.measurements[YAW].value == pytest.approx(-12.0, abs=0.5)


def test_no_face_no_angle() -> None:
    sight = seen.without_face(seen.sight(), 0.0, 60.0)
    sight.pose[:] = np.nan
    found = Head().measure(seen.talk(sight))
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
