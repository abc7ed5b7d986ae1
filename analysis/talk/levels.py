"""Frame levels of a recording: frames of a span, their energy, and their smoothed level.

Spans are in seconds of the recording; `step` is the length of a frame in seconds. For a recording
of n frames every series has shape (n,). Levels are in decibels relative to full scale, NaN if not
measured; energies are 10 to the power of level / 10, and 0 there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import uniform_filter1d

from analysis.ports import FloatArray, Sound, Span

_FAINTEST = 1e-12
"""Lowest energy, -120 dB, so that silence has a level as well."""


def frames_of(span: Span, step: float) -> slice:
    """Return the frames between the nearest frame edges; empty if the span is shorter."""
    return slice(round(span[0] / step), round(span[1] / step))


def levels_in(span: Span, sound: Sound) -> FloatArray:
    """Return the level of each frame of a span, in decibels."""
    return sound.level_db[frames_of(span, sound.step)]


def energies(sound: Sound) -> NDArray[np.float64]:
    """Return the energy of each frame."""
    return np.nan_to_num(10 ** (sound.level_db.astype(np.float64) / 10))


def smooth_levels(energy: NDArray[np.float64], frames: int) -> NDArray[np.float64]:
    """Return the level (dB) of the mean energy over this many frames around each; at least -120."""
    mean: NDArray[np.float64] = uniform_filter1d(energy, frames)
    return 10 * np.log10(np.maximum(mean, _FAINTEST))


def mean_level(energy: NDArray[np.float64]) -> float:
    """Return the level (dB) of the mean energy of one or more frames; at least -120."""
    return float(10 * np.log10(max(energy.mean(), _FAINTEST)))
