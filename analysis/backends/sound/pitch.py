"""Fundamental frequency: normalised autocorrelation and the cheapest path (Boersma, 1993)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from analysis.ports import SAMPLE_RATE_HZ, FloatArray

FLOOR_HZ = 75.0
CEILING_HZ = 600.0
"""Usual range for adult voices; the second pass narrows it to the speaker's own range."""
WINDOW_SAMPLES = int(3 * SAMPLE_RATE_HZ / FLOOR_HZ)
"""Three periods of the lowest pitch, as in Boersma (1993)."""

_FIRST_CEILING_HZ = 500.0
"""Usual ceiling: a hoarse voice resonates at its first formant, 500 Hz and above."""
_CANDIDATES = 4
_SILENCE_SHARE = 0.03
_VOICING_THRESHOLD = 0.45
_OCTAVE_COST = 0.01
_OCTAVE_JUMP_COST = 0.35
_VOICING_CHANGE_COST = 0.14
"""The standard parameters of Boersma (1993)."""
_SHORTEST_VOICED_SECONDS = 0.03
_SMALLEST_NUMBER_OF_FRAMES = 50
_FFT_SIZE = fft.next_fast_len(2 * WINDOW_SAMPLES, real=True)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Pitch candidates of each frame: frequencies (0 for none) and strengths."""

    hz: FloatArray
    strength: FloatArray
    peak: FloatArray
    """Largest absolute sample of the frame."""


def find_candidates(frames: NDArray[np.float32]) -> Candidates:
    """Return the strongest periodicities of each row of `frames` (WINDOW_SAMPLES wide)."""
    centred = frames - frames.mean(axis=1, keepdims=True)
    peak = np.abs(centred).max(axis=1)
    correlation = _normalised_autocorrelation(centred)
    shortest = int(SAMPLE_RATE_HZ / CEILING_HZ)
    longest = int(SAMPLE_RATE_HZ / FLOOR_HZ) + 1
    here = correlation[:, shortest : longest + 1]
    before = correlation[:, shortest - 1 : longest]
    after = correlation[:, shortest + 1 : longest + 2]
    is_peak = (here > before) & (here >= after) & (here > 0.5 * _VOICING_THRESHOLD)
    curvature = np.where(is_peak, np.maximum(2 * here - before - after, 1e-9), 1.0)
    # The top of a parabola through three points is within half a step of the middle one.
    shift = np.where(is_peak, np.clip(0.5 * (after - before) / curvature, -0.5, 0.5), 0.0)
    height = here + 0.25 * (after - before) * shift
    hz = SAMPLE_RATE_HZ / (np.arange(shortest, longest + 1) + shift)
    # Interpolated peaks may exceed 1; fold them back as the method asks.
    height = np.where(height > 1.0, 1.0 / np.maximum(height, 1e-6), height)
    merit = np.where(is_peak, height - _OCTAVE_COST * np.log2(FLOOR_HZ / hz), -np.inf)
    best = np.argpartition(-merit, _CANDIDATES, axis=1)[:, :_CANDIDATES]
    strength = np.take_along_axis(merit, best, axis=1)
    return Candidates(
        hz=np.where(np.isfinite(strength), np.take_along_axis(hz, best, axis=1), 0.0).astype(
            np.float32
        ),
        strength=strength.astype(np.float32),
        peak=peak.astype(np.float32),
    )


def _normalised_autocorrelation(frames: NDArray[np.float32]) -> NDArray[np.float32]:
    window = np.hanning(WINDOW_SAMPLES).astype(np.float32)
    spectrum = fft.rfft(frames * window, _FFT_SIZE, axis=1)
    power = (spectrum.real**2 + spectrum.imag**2).astype(np.float32)
    lags = int(SAMPLE_RATE_HZ / FLOOR_HZ) + 4
    raw = fft.irfft(power, _FFT_SIZE, axis=1)[:, :lags]
    of_window = fft.irfft(np.abs(fft.rfft(window, _FFT_SIZE)) ** 2, _FFT_SIZE)[:lags]
    energy = np.maximum(raw[:, :1], 1e-12)
    normalised: NDArray[np.float32] = (raw / energy) / (of_window / of_window[0])
    return normalised


def track(candidates: Candidates, *, step: float) -> FloatArray:
    """Return F0 of each frame in Hz, NaN if unvoiced.

    A first pass over the full range finds the speaker's quartiles. A second pass is limited to 0.7
    times the first and 1.9 times the third quartile (after De Looze & Hirst, 2008), which removes
    most octave jumps.
    """
    first = _cheapest_path(candidates, step=step, low=FLOOR_HZ, high=_FIRST_CEILING_HZ)
    voiced = first[np.isfinite(first)]
    if len(voiced) < _SMALLEST_NUMBER_OF_FRAMES:
        return _without_islands(first, step=step)
    low, high = np.percentile(voiced, [25, 75]) * np.array([0.7, 1.9])
    second = _cheapest_path(
        candidates, step=step, low=max(FLOOR_HZ, low), high=min(CEILING_HZ, high)
    )
    return _without_islands(second, step=step)


def _cheapest_path(candidates: Candidates, *, step: float, low: float, high: float) -> FloatArray:
    """Return the cheapest path by the Viterbi algorithm over {unvoiced, candidates}; state 0 is
    unvoiced.
    """
    hz, gain = _states(candidates, low=low, high=high)
    count, width = hz.shape
    scale = 0.01 / step
    log_hz = np.log2(np.where(hz > 0, hz, 1.0))
    is_voiced = np.arange(width) > 0
    change = scale * _VOICING_CHANGE_COST * (is_voiced[:, None] != is_voiced[None, :])
    both = (is_voiced[:, None] & is_voiced[None, :]) * (scale * _OCTAVE_JUMP_COST)
    back = np.zeros((count, width), dtype=np.int8)
    score = gain[0].copy()
    columns = np.arange(width)
    for index in range(1, count):
        jump = np.abs(log_hz[index - 1][:, None] - log_hz[index][None, :])
        reached = score[:, None] - change - both * jump
        origin = reached.argmax(axis=0)
        back[index] = origin
        score = reached[origin, columns] + gain[index]
    path = np.zeros(count, dtype=np.intp)
    path[-1] = int(score.argmax())
    for index in range(count - 1, 0, -1):
        path[index - 1] = back[index, path[index]]
    chosen = hz[np.arange(count), path]
    return np.where(chosen > 0, chosen, np.nan).astype(np.float32)


def _states(
    candidates: Candidates, *, low: float, high: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    # The loudest 2% are ignored, so that one click does not silence a soft voice.
    loudest = max(float(np.percentile(candidates.peak, 98)), 1e-6)
    quiet = (candidates.peak / loudest) / (_SILENCE_SHARE / (1 + _VOICING_THRESHOLD))
    unvoiced = _VOICING_THRESHOLD + np.maximum(0.0, 2.0 - quiet)
    allowed = (candidates.hz >= low) & (candidates.hz <= high)
    gain = np.where(allowed, candidates.strength, -1e3)
    return (
        np.concatenate([np.zeros((len(unvoiced), 1)), candidates.hz], axis=1),
        np.concatenate([unvoiced[:, None], gain], axis=1),
    )


def _without_islands(f0: FloatArray, *, step: float) -> FloatArray:
    """Return F0 without voiced runs shorter than two or three periods of a low voice, which are
    noise.
    """
    voiced = np.concatenate([[False], np.isfinite(f0), [False]])
    edges = np.flatnonzero(voiced[1:] != voiced[:-1]).reshape(-1, 2)
    cleaned = f0.copy()
    for start, end in edges:
        if (end - start) * step < _SHORTEST_VOICED_SECONDS:
            cleaned[start:end] = np.nan
    return cleaned
