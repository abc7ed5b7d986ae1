"""Gaze in degrees: the usual angle between gaze and lens, for speakers with a calibration."""

from __future__ import annotations

import math

import numpy as np

from analysis.ports import GazeCalibration, Measured
from analysis.results import Measurement, Quality, Reason, Skipped
from analysis.talk.face_view import face_samples
from analysis.talk.facing import CLOSED_FROM, hides_eyes
from analysis.talk.gaze_calibration import degrees_off_lens
from analysis.talk.talk import Talk
from analysis.talk.visual_samples import VisualSamples, weighted_median

OFF_LENS = "gaze.off_lens_degrees"

_LEAST_COVERAGE = 0.5
_FAIR_ERROR_DEGREES = 6.0
"""Error on points left out up to which the value is called fair (rule of thumb). It is never good:
nobody with gaze at known angles was recorded to test it (docs/lab/gaze-degrees.md)."""
_OF_80_PERCENT = 1.28


class GazeInDegrees:
    """Analyser of the angle between gaze and lens, in degrees."""

    name = "gaze_degrees"
    provides: tuple[str, ...] = (OFF_LENS,)

    def measure(self, talk: Talk) -> Measured:
        """Return the median angle over speech, or why there is none."""
        found = _found(talk)
        if isinstance(found, Skipped):
            return Measured.skipping(self.provides, found)
        return Measured(measurements={OFF_LENS: found})


def _found(talk: Talk) -> Measurement | Skipped:
    calibration = talk.options.gaze_calibration
    samples = face_samples(talk)
    if isinstance(samples, Skipped):
        return samples
    if calibration is None:
        return Skipped.because(Reason.MISSING_CONTEXT, "gaze_not_calibrated")
    return _off_lens(samples, calibration, mirrored=talk.options.mirrored)


def _off_lens(
    samples: VisualSamples, calibration: GazeCalibration, *, mirrored: bool
) -> Measurement | Skipped:
    sight = samples.sight
    angles = degrees_off_lens(sight, calibration, mirrored=mirrored)
    is_open = np.nan_to_num(sight.blink, nan=1.0) <= CLOSED_FROM
    known = np.isfinite(angles) & is_open & ~hides_eyes(sight)
    coverage = samples.speech_share(known)
    if coverage < _LEAST_COVERAGE:
        return Skipped.because(
            Reason.LOW_COVERAGE,
            "gaze_eyes_seldom",
            seen=coverage,
            base=samples.base,
            needed=_LEAST_COVERAGE,
        )
    value = weighted_median(angles[known], samples.speech[known])
    error = math.hypot(calibration.error_degrees, _OF_80_PERCENT * calibration.scale_error * value)
    is_fair = calibration.error_degrees <= _FAIR_ERROR_DEGREES
    return Measurement.of(
        value,
        "degrees",
        n=int((samples.speech[known] > 0).sum()),
        coverage=coverage,
        quality=Quality.FAIR if is_fair else Quality.POOR,
        interval=(max(0.0, value - error), value + error),
    )
