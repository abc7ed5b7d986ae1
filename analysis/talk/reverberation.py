"""Reverberation of the room, from the slope at which the level falls into pauses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from analysis.ports import Sound, Span
from analysis.talk import spans
from analysis.talk.levels import energies, smooth_levels

_LEAST_GAP_SECONDS, _LEAST_FALLS = 0.4, 4
_FROM_DB, _DEEPEST_DB, _OVER_NOISE_DB, _LEAST_FALL_DB = 10.0, 35.0, 6.0, 8.0
"""Measured range of the fall: from 10 dB below the usual voice down to 35, or to 6 above the level
in the pause. If less than 8 dB are left, noise hides the slope (rules of thumb).
"""
_ALIKE = 1.6
"""Largest ratio of the quartiles: an echo is similar in every pause. In rooms with 0.75 s and more
the upper quartile of slopes is at most 1.2 times the median, while people in the background fall
silent at any speed.
"""
_STILL_FALLING_DB = 2.0
"""Fall between the last two quarters of a pause from which the echo outlasts it."""
_LOOK_BACK_SECONDS = 0.8
"""Time before a pause that is searched for the fall, since fading sound is detected as speech for a
while.
"""
_SMOOTH_FRAMES, _ONSET_SECONDS = 3, 0.05
_FADES_BY_DB = 60.0
"""Decay that defines the reverberation time of a room (ISO 3382)."""
ECHOING_SECONDS = 0.75
"""Reverberation time from which measures fail: a voice with one quiet sentence end in twenty-five
was measured with three and more, and its loudness range as 12 dB instead of 17
(docs/lab/noise.md).
"""


def is_reverberant(speech: Sequence[Span], sound: Sound) -> bool:
    """Return whether reverberation is so long that it covers softer sounds."""
    return (reverberation_time(speech, sound) or 0.0) >= ECHOING_SECONDS


def reverberation_time(speech: Sequence[Span], sound: Sound) -> float | None:
    """Return the reverberation time in seconds (decay by 60 dB), from the median pause; None if too
    few pauses show it.
    """
    inside = spans.frames_inside(speech, step=sound.step, count=len(sound.level_db))
    voiced = inside & np.isfinite(sound.f0_hz) & np.isfinite(sound.level_db)
    if not voiced.any():
        return None
    voice = float(np.median(sound.level_db[voiced]))
    smooth = smooth_levels(energies(sound), _SMOOTH_FRAMES)
    slopes = [
        slope
        for gap in spans.gaps(speech, at_least=_LEAST_GAP_SECONDS)
        if (slope := _slope(gap, smooth - voice, sound.step)) is not None
    ]
    if len(slopes) < _LEAST_FALLS:
        return None
    low, middle, high = np.percentile(slopes, [25, 50, 75])
    return _FADES_BY_DB / float(middle) if high <= _ALIKE * low else None


def _slope(gap: Span, level: NDArray[np.float64], step: float) -> float | None:
    """Return the slope in dB per second at which the level falls into a pause; None if it cannot be
    measured.
    """
    first, last = round(gap[0] / step), round((gap[1] - _ONSET_SECONDS) / step)
    third, fourth = np.array_split(level[(first + last) // 2 : last], 2)
    ending = float(np.median(fourth))
    is_falling = float(np.median(third)) - ending > _STILL_FALLING_DB
    lowest = max(ending if is_falling else ending + _OVER_NOISE_DB, -_DEEPEST_DB)
    if -_FROM_DB - lowest < _LEAST_FALL_DB:
        return None
    part = level[max(first - round(_LOOK_BACK_SECONDS / step), 0) : last]
    loud = np.flatnonzero(part >= -_FROM_DB)
    if not len(loud):
        return None
    low = np.flatnonzero(part[loud[-1] :] <= lowest)
    return float((part[loud[-1]] - lowest) / (low[0] * step)) if len(low) else None
