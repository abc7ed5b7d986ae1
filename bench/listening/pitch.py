"""Pitch compared with Praat, a reference for tests only that is never shipped."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import parselmouth

from analysis.backends.sound.listening import listen
from analysis.ports import SAMPLE_RATE_HZ, FloatArray

_FLOOR_HZ, _CEILING_HZ = 75.0, 600.0
_TOLERANCE_SEMITONES = 0.5


@dataclass(frozen=True, slots=True)
class PitchAgreement:
    """Number of frames voiced in both, and of those within half a semitone."""

    common: int
    close: int
    deviation: float
    """Median deviation in semitones."""
    seconds: float
    """CPU seconds of our pitch tracking."""


def compare(audio: FloatArray) -> PitchAgreement:
    """Compare our pitch track with Praat's autocorrelation method on the same frames."""
    whole = ((0.0, len(audio) / SAMPLE_RATE_HZ),)
    started = time.process_time()
    ours = listen(audio, speech=whole, progress=lambda _share: None)
    seconds = time.process_time() - started
    pitch = parselmouth.Sound(audio.astype(np.float64), SAMPLE_RATE_HZ).to_pitch_ac(
        time_step=ours.step, pitch_floor=_FLOOR_HZ, pitch_ceiling=_CEILING_HZ
    )
    theirs = pitch.selected_array["frequency"]
    index = np.clip(np.round(pitch.xs() / ours.step - 0.5).astype(int), 0, len(ours.f0_hz) - 1)
    here = ours.f0_hz[index]
    both = (theirs > 0) & np.isfinite(here)
    apart = np.abs(12 * np.log2(here[both] / theirs[both]))
    return PitchAgreement(
        common=int(both.sum()),
        close=int((apart <= _TOLERANCE_SEMITONES).sum()),
        deviation=float(np.median(apart)) if len(apart) else 0.0,
        seconds=seconds,
    )
