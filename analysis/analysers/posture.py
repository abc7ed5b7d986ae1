"""Posture: shoulder line, sideways lean and sway."""

from __future__ import annotations

import numpy as np

from analysis.ports import Measured
from analysis.results import Event, Measurement, Quality, Reason, Skipped
from analysis.talk.body_view import (
    body_samples,
    has_hips,
    has_shoulders,
    point,
    seldom_seen,
    shoulder_width,
    still_camera,
)
from analysis.talk.talk import Talk
from analysis.talk.visual_samples import (
    CENTRAL,
    Flags,
    Numbers,
    VisualSamples,
    bootstrap,
    episodes,
    runs,
    smooth_states,
    weighted_median,
)

TILT, SWAY = "posture.shoulder_tilt_degrees", "posture.sway_shoulder_widths"
LEAN = "posture.lean_degrees"

# Frequency band of sway, and the shortest stretch that contains its slowest cycle (rule of thumb:
# there is no study of listeners).
_SWAY_BAND_HZ = (0.2, 1.5)
_SWAY_SECONDS = 20.0
_SWAY_STEP = 0.2
# Share of the time in which the background must be matched; otherwise sway could be camera
# movement.
_MATCHED_SHARE = 0.5
# Angle and duration from which a lean is an event (rules of thumb; no listener threshold is known).
LEANING_DEGREES = 10.0
_LEANING_SECONDS = 5.0
_HOLD_SECONDS = 0.3


class Posture:
    """Analyser of shoulders and hips; each measure needs its own landmarks in view."""

    name = "posture"
    provides: tuple[str, ...] = (TILT, SWAY, LEAN)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        samples = body_samples(talk)
        if isinstance(samples, Skipped):
            return Measured(skipped=dict.fromkeys(self.provides, samples))
        lean = leans(samples)
        found: dict[str, Measurement | Skipped] = {
            TILT: _angle(samples, _tilts(samples)),
            SWAY: _sway(samples),
            LEAN: _hips_problem(samples, talk) or _angle(samples, np.abs(lean)),
        }
        return Measured(
            measurements={k: v for k, v in found.items() if isinstance(v, Measurement)},
            skipped={k: v for k, v in found.items() if isinstance(v, Skipped)},
            events=_leanings(samples, lean) if isinstance(found[LEAN], Measurement) else (),
        )


def _tilts(samples: VisualSamples) -> Numbers:
    between = point(samples, "left_shoulder") - point(samples, "right_shoulder")
    degrees: Numbers = np.degrees(np.arctan2(np.abs(between[:, 1]), np.abs(between[:, 0])))
    return degrees


def leans(samples: VisualSamples) -> Numbers:
    """Return the angle of the trunk to the vertical in degrees; positive to the right of the
    picture.
    """
    shoulders = (point(samples, "left_shoulder") + point(samples, "right_shoulder")) / 2
    hips = (point(samples, "left_hip") + point(samples, "right_hip")) / 2
    trunk = shoulders - hips
    degrees: Numbers = np.degrees(np.arctan2(trunk[:, 0], -trunk[:, 1]))
    return degrees


def _hips_problem(samples: VisualSamples, talk: Talk) -> Skipped | None:
    if talk.options.setting == "seated":
        return Skipped.because(Reason.FRAMING, "trunk_hidden")
    return seldom_seen(
        samples,
        has_shoulders(samples) & has_hips(samples),
        "hips_seldom",
    )


def _leanings(samples: VisualSamples, lean: Numbers) -> tuple[Event, ...]:
    with np.errstate(invalid="ignore"):
        is_far = (np.abs(lean) > LEANING_DEGREES).astype(np.float64)
    leaning: Flags = smooth_states(is_far, samples.seconds, hold=_HOLD_SECONDS) == 1
    return tuple(
        Event(
            kind="leaning",
            start=start,
            end=end,
            detail={"degrees": round(float(np.nanmedian(np.abs(lean[first:behind]))), 1)},
        )
        for first, behind, start, end in episodes(samples, leaning, shortest=_LEANING_SECONDS)
    )


def _angle(samples: VisualSamples, degrees: Numbers) -> Measurement:
    """Return the median angle over speech, with interval and coverage."""
    known = np.isfinite(degrees) & (samples.speech > 0)
    seconds = samples.medians(np.where(known, degrees, np.nan))
    seconds = seconds[np.isfinite(seconds)]
    draws = bootstrap(seconds, np.ones(len(seconds)))
    low, high = np.percentile(draws, CENTRAL)
    value = weighted_median(degrees[known], samples.speech[known])
    return Measurement(
        value=value,
        unit="degrees",
        n=int(known.sum()),
        coverage=min(1.0, samples.speech_share(np.isfinite(degrees))),
        quality=Quality.FAIR,
        interval=(min(float(low), value), max(float(high), value)),
    )


def _sway(samples: VisualSamples) -> Measurement | Skipped:
    stretches = [
        (first, behind)
        for first, behind in runs(has_shoulders(samples))
        if samples.seconds[first:behind].sum() >= _SWAY_SECONDS
    ]
    if not stretches:
        return Skipped.because(Reason.TOO_SHORT, "sway_short", needed=_SWAY_SECONDS)
    matched = np.isfinite(samples.sight.camera_shift[1:, 0])
    if matched.mean() < _MATCHED_SHARE:
        return Skipped.because(Reason.POOR_SIGNAL, "background_plain")
    pieces = [_swaying(samples, first, behind) for first, behind in stretches]
    squares = np.concatenate([piece**2 for piece in pieces])
    seconds = squares[: len(squares) // 5 * 5].reshape(-1, 5).mean(axis=1)
    low, high = np.percentile(np.sqrt(bootstrap(seconds, np.ones(len(seconds)))), CENTRAL)
    value = float(np.sqrt(squares.mean()))
    covered = sum(float(samples.speech[first:behind].sum()) for first, behind in stretches)
    return Measurement(
        value=value,
        unit="shoulder widths",
        n=len(squares),
        coverage=min(1.0, covered / float(samples.speech.sum())),
        quality=Quality.FAIR,
        interval=(min(float(low), value), max(float(high), value)),
    )


def _swaying(samples: VisualSamples, first: int, behind: int) -> Numbers:
    """Return the band-passed sideways path of the shoulders' midpoint, in shoulder widths."""
    middle = (point(samples, "left_shoulder") + point(samples, "right_shoulder"))[:, 0] / 2
    path = (middle - still_camera(samples)[:, 0])[first:behind] / shoulder_width(samples)
    times = samples.times[first:behind]
    even = np.arange(times[0], times[-1], _SWAY_STEP)
    values = np.interp(even, times, path)
    values = values - np.polyval(np.polyfit(even - even[0], values, 1), even - even[0])
    spectrum = np.fft.rfft(values)
    rates = np.fft.rfftfreq(len(values), _SWAY_STEP)
    spectrum[(rates < _SWAY_BAND_HZ[0]) | (rates > _SWAY_BAND_HZ[1])] = 0
    swaying: Numbers = np.fft.irfft(spectrum, n=len(values))
    return swaying
