"""Pitch contour of a voice, in semitones relative to the speaker's own median."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.ports import Sound

LEAST_VOICED_IN_WINDOW_SECONDS = 2.0
_RISE_SECONDS = 0.3
_FARTHEST_SEMITONES = 14.0
"""Distance from the median beyond which a value is an octave error or a squeak (rule of thumb)."""


@dataclass(frozen=True, slots=True)
class PitchContour:
    """Pitch in semitones relative to the speaker's median; NaN where unvoiced or implausible."""

    semitones: NDArray[np.float64]
    hz: NDArray[np.float64]
    step: float

    @property
    def voiced_seconds(self) -> float:
        """Return the seconds of voice with a pitch."""
        return float(np.isfinite(self.semitones).sum() * self.step)

    def between(self, start: float, end: float) -> NDArray[np.float64]:
        """Return the voiced frames of a span, in semitones."""
        part = self.semitones[round(start / self.step) : round(end / self.step)]
        found: NDArray[np.float64] = part[np.isfinite(part)]
        return found

    def quotient(self, start: float, end: float) -> float | None:
        """Return the standard deviation divided by the mean of the pitch in Hz; None with less than
        2 s of voice.
        """
        part = self.hz[round(start / self.step) : round(end / self.step)]
        voiced = part[np.isfinite(part)]
        if len(voiced) * self.step < LEAST_VOICED_IN_WINDOW_SECONDS:
            return None
        return float(voiced.std() / voiced.mean())

    def final_rise(self, start: float, end: float) -> float | None:
        """Return the pitch change in semitones over the last 0.3 s of voice before `end`; None with
        less.
        """
        voiced = self.between(max(start, end - 2 * _RISE_SECONDS), end)
        count = round(_RISE_SECONDS / self.step)
        if len(voiced) < count:
            return None
        final = voiced[-count:]
        third = max(count // 3, 1)
        return float(np.median(final[-third:]) - np.median(final[:third]))


def pitch_contour(sound: Sound) -> PitchContour:
    """Return the pitch contour of a recording."""
    hz = sound.f0_hz.astype(np.float64)
    if not np.isfinite(hz).any():
        return PitchContour(semitones=hz, hz=hz, step=sound.step)
    semitones = 12 * np.log2(hz / np.nanmedian(hz))
    far = np.abs(semitones) > _FARTHEST_SEMITONES
    return PitchContour(
        semitones=np.where(far, np.nan, semitones),
        hz=np.where(far, np.nan, hz),
        step=sound.step,
    )
