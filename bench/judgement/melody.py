"""Pitch flattening and speech acceleration by overlap-add (PSOLA), with
Praat; for benchmarks only.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.ports import FloatArray

_FLOOR_HZ, _CEILING_HZ, _STEP_SECONDS = 75.0, 600.0, 0.01


def levelled(audio: FloatArray, rate_hz: int, *, kept: float, around_hz: float) -> FloatArray:
    """Return the speech with this share of its pitch variation, in semitones around one pitch."""
    sound = _praat().Sound(audio.astype(np.float64), rate_hz)
    manipulation = _call(sound, "To Manipulation", _STEP_SECONDS, _FLOOR_HZ, _CEILING_HZ)
    tier = _call(manipulation, "Extract pitch tier")
    if _call(tier, "Get number of points") == 0:
        return audio
    _call(tier, "Formula", f"{around_hz} * (self / {around_hz}) ^ {kept}")
    _call([tier, manipulation], "Replace pitch tier")
    return _as_long(_call(manipulation, "Get resynthesis (overlap-add)"), len(audio))


def melody_of(audio: FloatArray, rate_hz: int) -> tuple[float, float]:
    """Return the median pitch in Hz, and the standard deviation in semitones."""
    voiced = _voiced_hz(audio, rate_hz)
    median = float(np.median(voiced))
    return median, float(np.std(12 * np.log2(voiced / median)))


def faster(audio: FloatArray, rate_hz: int, *, by: float) -> FloatArray:
    """Return the speech at the same pitch, in a shorter time."""
    sound = _praat().Sound(audio.astype(np.float64), rate_hz)
    shorter = _call(sound, "Lengthen (overlap-add)", _FLOOR_HZ, _CEILING_HZ, 1 / by)
    return _as_long(shorter, round(len(audio) / by))


def reshaped(
    audio: FloatArray, rate_hz: int, *, formants: float, pitch: float, melody: float, tempo: float
) -> FloatArray:
    """Return the words as spoken by another speaker: ratios of formants, median pitch, pitch range
    and tempo (Praat's "Change gender").
    """
    median = _median_pitch(audio, rate_hz)
    sound = _praat().Sound(audio.astype(np.float64), rate_hz)
    changed = _call(
        sound,
        "Change gender",
        *(_FLOOR_HZ, _CEILING_HZ, formants, median * pitch, melody, 1 / tempo),
    )
    return _as_long(changed, round(len(audio) / tempo))


def _median_pitch(audio: FloatArray, rate_hz: int) -> float:
    """Return the median pitch in Hz; 0, for which Praat keeps the pitch, without voice."""
    voiced = _voiced_hz(audio, rate_hz)
    return float(np.median(voiced)) if len(voiced) else 0.0


def _voiced_hz(audio: FloatArray, rate_hz: int) -> NDArray[np.float64]:
    sound = _praat().Sound(audio.astype(np.float64), rate_hz)
    pitch = sound.to_pitch_ac(pitch_floor=_FLOOR_HZ, pitch_ceiling=_CEILING_HZ)
    frames: NDArray[np.float64] = pitch.selected_array["frequency"]
    return frames[frames > 0]


def _as_long(sound: Any, samples: int) -> FloatArray:
    made: FloatArray = np.zeros(samples, dtype=np.float32)
    values = np.asarray(sound.values[0], dtype=np.float32)[:samples]
    made[: len(values)] = values
    return made


def _praat() -> Any:
    """Load Praat only if it is needed: tests of this folder run without it."""
    return import_module("parselmouth")


def _call(*arguments: Any) -> Any:
    return import_module("parselmouth.praat").call(*arguments)
