"""Gaze in degrees: the calibration with points, and the measure that rests on it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from analysis.analysers.gaze_degrees import OFF_LENS, GazeInDegrees
from analysis.ports import GazeCalibration, Options
from analysis.results import Note, Quality, Reason
from analysis.talk.gaze_calibration import (
    CalibrationLook,
    FittedCalibration,
    degrees_off_lens,
    distance_cm,
    fit_calibration,
)
from tests.analysis import seen

POINTS = [(x, y) for y in (1.5, 9.0, 16.5) for x in (-14.0, 0.0, 14.0)] + [(0.0, 0.0)]
EXACT = GazeCalibration((0.0, 1.0, 1.0), (0.0, 1.0, 1.0), error_degrees=3.0, scale_error=0.16)


def looks(
    *, gain: float = 1.0, offset: float = 0.0, noise: float = 0.0, distance: float = 50.0
) -> Iterator[CalibrationLook]:
    """A person whose eyes are read with this gain and offset, four pictures a point."""
    generator = np.random.default_rng(5)
    for point, (right, down) in enumerate(POINTS):
        yaw, pitch = (math.degrees(math.atan2(part, distance)) for part in (right, -down))
        for _picture in range(4):
            read = generator.normal(0, noise, 2)
            yield CalibrationLook(
                point=point,
                right_cm=right,
                down_cm=down,
                head=(0.2 * yaw, 0.2 * pitch),
                eyes=(
                    0.8 * yaw / gain + offset + read[0],
                    0.8 * pitch / gain + offset + read[1],
                ),
                distance_cm=distance,
            )


def fitted(**person: float) -> FittedCalibration:
    found = fit_calibration(list(looks(**person)), shown=10, knows_screen=True)
    assert isinstance(found, FittedCalibration)
    return found


def test_a_person_whose_eyes_are_read_short_and_aside_is_corrected() -> None:
    found = fitted(gain=1.5, offset=6.0)
    assert found.points == 10
    assert found.calibration.error_degrees < 2
    # The fit follows the points: at the corner, where head and eyes alone are 10 degrees off.
    sight = seen.sight(
        5, yaw=seen.flat(3.1), eye_yaw=seen.flat(8.3 + 6), eye_pitch=seen.flat(6), noise=0
    )
    off = degrees_off_lens(sight, found.calibration, mirrored=False)
    assert np.median(off) == pytest.approx(15.6, abs=2)


def test_noise_is_told_by_points_left_out() -> None:
    exact, noisy = fitted(), fitted(noise=4.0)
    assert exact.calibration.error_degrees < 0.5
    assert 1.5 < noisy.calibration.error_degrees < 6


def test_without_a_card_the_scale_is_less_sure() -> None:
    unknown = fit_calibration(list(looks()), shown=10, knows_screen=False)
    assert isinstance(unknown, FittedCalibration)
    assert unknown.calibration.scale_error > fitted().calibration.scale_error


def test_what_was_not_followed_or_not_seen_is_refused_with_the_reason() -> None:
    still = [
        CalibrationLook(
            point=each.point,
            right_cm=each.right_cm,
            down_cm=each.down_cm,
            head=(0.0, 0.0),
            eyes=(0.0, 0.0),
            distance_cm=50.0,
        )
        for each in looks()
    ]
    few = [each for each in looks() if each.point < 6]
    refusals = [
        fit_calibration(some, shown=10, knows_screen=True)
        for some in (still, few, list(looks(distance=400.0)))
    ]
    codes = [note.code for note in refusals if isinstance(note, Note)]
    assert codes == ["calibration_inexact", "calibration_eyes_seldom", "calibration_far"]


def test_the_distance_follows_from_the_eyes() -> None:
    # Pupils 6.3 cm apart, at 50 cm, by a lens of 0.8 picture widths: 129 of 1280 pixels.
    assert distance_cm(129, 1280) == pytest.approx(50, abs=0.1)


def test_a_talk_with_a_calibration_is_measured_in_degrees_with_its_error() -> None:
    sight = seen.sight(60, eye_pitch=seen.flat(-12.0), noise=0.5)
    talk = seen.talk(sight, options=Options(gaze_calibration=EXACT))
    found = GazeInDegrees().measure(talk).measurements[OFF_LENS]
    assert found.value == pytest.approx(12, abs=0.5)
    assert found.interval is not None
    low, high = found.interval
    assert high - low == pytest.approx(2 * math.hypot(3.0, 1.28 * 0.16 * 12), abs=0.3)
    assert found.quality is Quality.FAIR  # never better: nobody tested it with known angles


def test_without_a_calibration_or_without_eyes_it_says_why() -> None:
    talk = seen.talk(seen.sight(60))
    assert GazeInDegrees().measure(talk).skipped[OFF_LENS].reason is Reason.MISSING_CONTEXT
    far = seen.sight(60)
    far.eyes[:] = np.nan
    blind = seen.talk(far, options=Options(gaze_calibration=EXACT))
    skipped = GazeInDegrees().measure(blind).skipped[OFF_LENS]
    assert (skipped.reason, skipped.code) == (Reason.LOW_COVERAGE, "gaze_eyes_seldom")
