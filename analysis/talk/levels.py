"""How loud the recording is, frame by frame: where the frames of a span lie, their energy, and
their level averaged over neighbours.

Spans are in seconds of the media, `step` is the length of a frame in seconds. Of a recording of n
frames every series has the shape (n,), and so much of it belongs to a span as its slice cuts out.
Levels are in decibels relative to full scale, NaN in what is not measured; energies are 10 to the
level over 10, and 0 there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import uniform_filter1d

from analysis.ports import FloatArray, Sound, Span

_FAINTEST = 1e-12
"""An energy: -120 dB, so that silence has a level as well."""


def frames_of(span: Span, step: float) -> slice:
    """The frames between the two nearest edges of frames: none where a span is shorter."""
    return slice(round(span[0] / step), round(span[1] / step))


def levels_in(span: Span, sound: Sound) -> FloatArray:
    """The level of each frame of a span, in decibels."""
    return sound.level_db[frames_of(span, sound.step)]


def energies(sound: Sound) -> NDArray[np.float64]:
    """The energy of each frame."""
    return np.nan_to_num(10 ** (sound.level_db.astype(np.float64) / 10))


def smooth_levels(energy: NDArray[np.float64], frames: int) -> NDArray[np.float64]:
    """The level, in decibels, of the mean energy of so many frames around each; -120 at least."""
    mean: NDArray[np.float64] = uniform_filter1d(energy, frames)
    return 10 * np.log10(np.maximum(mean, _FAINTEST))


def mean_level(energy: NDArray[np.float64]) -> float:
    """The level, in decibels, of the mean energy of some frames (one at least); -120 at least."""
    return float(10 * np.log10(max(energy.mean(), _FAINTEST)))
