"""Range of a voice by its median pitch."""

from __future__ import annotations

import numpy as np

from analysis.backends.sound.listening import listen
from analysis.ports import SAMPLE_RATE_HZ, FloatArray

_LOW_HZ, _HIGH_HZ = 140.0, 190.0
"""Medians of the voice that part low, middle and high (rule of thumb)."""


def voice_of(sound: FloatArray) -> str:
    """Return the range of the voice by its median pitch."""
    whole = ((0.0, len(sound) / SAMPLE_RATE_HZ),)
    pitch = listen(sound, speech=whole, progress=lambda _share: None).f0_hz
    voiced = pitch[np.isfinite(pitch)]
    if not len(voiced):
        return "no pitch"
    middle = float(np.median(voiced))
    if middle < _LOW_HZ:
        return f"low, under {_LOW_HZ:.0f} Hz"
    return "middle" if middle < _HIGH_HZ else f"high, from {_HIGH_HZ:.0f} Hz"
