"""How ears weigh frequencies: bands of equal width to the ear, and the A curve.

Two formulas, so that no process loads a library of signal processing for them: that one took a
second of each run, most of it before anything else could begin.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analysis.ports import SAMPLE_RATE_HZ, FloatArray

# The mel scale of Slaney (Auditory Toolbox, 1998): even up to 1 kHz, 66.7 Hz a mel; then each mel
# is a 27th part of a factor of 6.4.
_HZ_A_MEL = 200.0 / 3
_BREAK_HZ = 1000.0
_BREAK_MEL = _BREAK_HZ / _HZ_A_MEL
_LOG_STEP = np.log(6.4) / 27.0

# The corners of the A curve in Hz (IEC 61672-1), the upper and the lower one twice each; at 1 kHz
# the curve is 0 dB with 2 dB more. What lies 80 dB lower counts as that: nobody hears it.
_CORNERS_HZ = np.array([12194.217, 20.598997, 107.65265, 737.86223])
_AT_1_KHZ_DB, _LEAST_DB = 2.0, -80.0


def ear_bands(*, count: int, window: int, lowest_hz: float, highest_hz: float) -> FloatArray:
    """(bands, bins of a spectrum of `window` samples): triangles that pass the same energy each.

    Their edges lie evenly on the mel scale between the two frequencies.
    """
    ends = _mel_of(lowest_hz), _mel_of(highest_hz)
    edges = _hz_of(np.linspace(*ends, count + 2))
    widths = np.diff(edges)
    beyond = np.subtract.outer(edges, np.fft.rfftfreq(window, 1 / SAMPLE_RATE_HZ))
    rising = -beyond[:-2] / widths[:-1, None]
    falling = beyond[2:] / widths[1:, None]
    bands: FloatArray = np.maximum(0, np.minimum(rising, falling)).astype(np.float32)
    bands *= (2.0 / (edges[2:] - edges[:-2]))[:, None]
    return bands


def a_weighting_db(hz: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much louder or softer a tone seems than one of 1 kHz; for frequencies over 0."""
    square, corners = hz**2.0, _CORNERS_HZ**2.0
    curve: NDArray[np.float64] = _AT_1_KHZ_DB + 20.0 * (
        np.log10(corners[0])
        + 2 * np.log10(square)
        - np.log10(square + corners[0])
        - np.log10(square + corners[1])
        - 0.5 * np.log10(square + corners[2])
        - 0.5 * np.log10(square + corners[3])
    )
    return np.maximum(curve, _LEAST_DB)


def _mel_of(hz: float) -> float:
    if hz < _BREAK_HZ:
        return hz / _HZ_A_MEL
    return float(_BREAK_MEL + np.log(hz / _BREAK_HZ) / _LOG_STEP)


def _hz_of(mels: NDArray[np.float64]) -> NDArray[np.float64]:
    above = _BREAK_HZ * np.exp(_LOG_STEP * (mels - _BREAK_MEL))
    return np.where(mels < _BREAK_MEL, _HZ_A_MEL * mels, above)
