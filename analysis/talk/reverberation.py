"""How long a room carries a word on: read off the slope at which the level falls into pauses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from analysis.ports import Sound, Span
from analysis.talk import spans
from analysis.talk.levels import energies, smooth_levels

_LEAST_GAP_SECONDS, _LEAST_FALLS = 0.4, 4
_FROM_DB, _DEEPEST_DB, _OVER_NOISE_DB, _LEAST_FALL_DB = 10.0, 35.0, 6.0, 8.0
"""From 10 dB under the usual voice down to 35, or to 6 over what the pause keeps: where that leaves
less than 8 dB, noise hides the slope (rules of thumb)."""
_ALIKE = 1.6
"""An echo is alike in every pause: in rooms that carry on for 0.75 s and more the upper quartile of
slopes is at most 1.2 times their median; people behind fall silent at any speed."""
_STILL_FALLING_DB = 2.0
"""Between the last two quarters of a pause: then the echo outlasts it."""
_LOOK_BACK_SECONDS = 0.8
"""What fades passes for speech for some time."""
_SMOOTH_FRAMES, _ONSET_SECONDS = 3, 0.05
_FADES_BY_DB = 60.0
"""As the reverberation time of a room is defined (ISO 3382)."""
ECHOING_SECONDS = 0.75
"""From here on a voice that ends one sentence in twenty-five quietly was said to end three and more
so, and its range of loudness was told as 12 dB for 17 (docs/lab/noise.md)."""


def room_echoes(speech: Sequence[Span], sound: Sound) -> bool:
    """Whether it carries words on for so long that they cover what is softer."""
    return (seconds_of_echo(speech, sound) or 0.0) >= ECHOING_SECONDS


def seconds_of_echo(speech: Sequence[Span], sound: Sound) -> float | None:
    """The seconds in which sound fades by 60 dB, by the median pause; None where few tell it."""
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
    """Decibels a second by which the level falls from the voice into a pause."""
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
