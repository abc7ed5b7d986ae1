"""Stable stretches of voice, in which the mouth does not move: the sound of um and uh."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.ndimage import uniform_filter1d

from analysis.ports import Sound, Span
from analysis.talk import spans

SHORTEST_SECONDS, LONGEST_SECONDS = 0.10, 1.5
"""Length limits. Goto et al. (1999) use 150 ms and more; transitions at both ends are not stable.
"""
_STABLE_FLUX = 0.95
"""Spectral change, relative to the speaker's median, below which the mouth does not move (after
Goto, 1999).
"""
_SMOOTHING_FRAMES = 5
_LOWEST_LEVEL_DB = -14.0
"""Level below the speaker's voiced median that is breath and room."""
_BRIDGE_SECONDS = 0.1
_SETTLING_SECONDS = 0.06
"""Time by which a filler begins before its spectrum is stable."""
_LEAST_VOICED_SHARE = 0.25
_CREAK_LEVEL_DB = -8.0
"""Level of a creaky um, which has no trackable pitch but is louder than a breath (rule of thumb).
"""


def stable_stretches(speech: Sequence[Span], sound: Sound) -> tuple[Span, ...]:
    """Return stretches of at least 100 ms with a stable spectrum; some of them are breath."""
    count = len(sound.flux)
    smooth = uniform_filter1d(sound.flux, _SMOOTHING_FRAMES)
    inside = spans.frames_inside(speech, step=sound.step, count=count)
    loud = sound.level_db > usual_level_db(sound) + _LOWEST_LEVEL_DB
    found = spans.spans_of(inside & loud & (smooth < _STABLE_FLUX), step=sound.step)
    return tuple(
        stretch
        for stretch in spans.merged(found, closer_than=_BRIDGE_SECONDS)
        if stretch[1] - stretch[0] >= SHORTEST_SECONDS
    )


def carries_voice(stretch: Span, sound: Sound) -> bool:
    """Return whether it is certainly not a breath: voiced, or creaky and about as loud as the
    voice.
    """
    at = frames(stretch, sound)
    if np.isfinite(sound.f0_hz[at]).mean() >= _LEAST_VOICED_SHARE:
        return True
    return bool(sound.level_db[at].mean() > usual_level_db(sound) + _CREAK_LEVEL_DB)


def onset(stable_from: float, speech: Sequence[Span]) -> float:
    """Return the start of the stretch, moved to the start of the speech if that is close."""
    for start, end in speech:
        if start <= stable_from < end:
            return start if stable_from - start < 0.2 else stable_from - _SETTLING_SECONDS
    return stable_from


def frames(stretch: Span, sound: Sound) -> slice:
    """Return the frames of a stretch, at least one."""
    last = max(round(stretch[1] / sound.step), 1)
    return slice(min(round(stretch[0] / sound.step), last - 1), last)


def slope_of(stretch: Span, sound: Sound) -> float:
    """Return the pitch slope in semitones per second: the median over all pairs of halves (Theil,
    1950), which ignores a tracker's octave jump.
    """
    f0 = sound.f0_hz[frames(stretch, sound)]
    times = np.flatnonzero(np.isfinite(f0)) * sound.step
    if len(times) < 5:
        return 0.0
    tune = 12 * np.log2(f0[np.isfinite(f0)].astype(np.float64))
    half = len(tune) // 2
    rises = (tune[-half:] - tune[:half]) / (times[-half:] - times[:half])
    return float(np.median(rises))


def usual_level_db(sound: Sound) -> float:
    """Return the median level of voiced frames; -30 dB if nothing is voiced."""
    voiced = np.isfinite(sound.f0_hz)
    return float(np.median(sound.level_db[voiced])) if voiced.any() else -30.0
