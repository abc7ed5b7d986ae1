"""Acoustic features per frame: pitch, level, spectral change, timbre and clipping."""

from __future__ import annotations

from dataclasses import dataclass

import librosa
import numpy as np
from numpy.typing import NDArray
from scipy import fft

from analysis.backends.sound import clipping, pitch
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Progress, Sound, Span

STEP_SECONDS = 0.01
"""Frame step; frame `i` is centred on `(i + 0.5) * STEP_SECONDS`."""

_HOP = int(STEP_SECONDS * SAMPLE_RATE_HZ)
_BLOCK_FRAMES = 3000
"""Block of 30 s: memory stays below 100 MB for any length of recording."""
_LEVEL_WINDOW = int(0.050 * SAMPLE_RATE_HZ)
_FLUX_WINDOW = int(0.032 * SAMPLE_RATE_HZ)
_FLUX_LAG = 2
"""Lag of compared spectra (20 ms): shorter lags mostly show the pitch periods."""
_BANDS = 40
_COEFFICIENTS = 13
_SILENCE = 1e-12
_USUAL_CHANGE, _USUAL_CHANGE_FRAMES = 1.15, 1000
"""Prior of the spectral change: median over 60 recordings, weighted like 10 s of voice, so that a
clip that is half "um" is not normalised by its own ums.
"""


@dataclass(frozen=True, slots=True)
class _Block:
    candidates: pitch.Candidates
    level_db: FloatArray
    flux: FloatArray
    clipped: FloatArray
    timbre: FloatArray


def listen(audio: FloatArray, *, speech: tuple[Span, ...], progress: Progress) -> Sound:
    """Return all series for the whole recording. `audio` may be a memory map of any length."""
    count = -(-len(audio) // _HOP)
    limits = clipping.find_limits(audio)
    blocks = []
    for first in range(0, count, _BLOCK_FRAMES):
        last = min(first + _BLOCK_FRAMES, count)
        blocks.append(_features(audio, first, last, limits))
        progress(0.9 * last / count)
    sound = _join(blocks, speech=speech)
    progress(1.0)
    return sound


def _join(blocks: list[_Block], *, speech: tuple[Span, ...]) -> Sound:
    if not blocks:
        nothing = np.zeros(0, dtype=np.float32)
        return Sound(
            step=STEP_SECONDS, f0_hz=nothing, level_db=nothing, flux=nothing, clipped=nothing
        )
    f0 = pitch.track(
        pitch.Candidates(
            hz=np.concatenate([block.candidates.hz for block in blocks]),
            strength=np.concatenate([block.candidates.strength for block in blocks]),
            peak=np.concatenate([block.candidates.peak for block in blocks]),
        ),
        step=STEP_SECONDS,
    )
    in_speech = _mask(speech, len(f0))
    f0 = np.where(in_speech, f0, np.float32(np.nan))
    flux = np.concatenate([block.flux for block in blocks])
    return Sound(
        step=STEP_SECONDS,
        f0_hz=f0.astype(np.float32),
        level_db=np.concatenate([block.level_db for block in blocks]),
        flux=(flux / _usual_change(flux[np.isfinite(f0)])).astype(np.float32),
        clipped=np.concatenate([block.clipped for block in blocks]),
        timbre=np.concatenate([block.timbre for block in blocks]),
    )


def _usual_change(voiced: FloatArray) -> float:
    """Return the speaker's median spectral change, shrunk towards the common one in short
    recordings.
    """
    if not len(voiced):
        return _USUAL_CHANGE
    own = float(np.median(voiced)) * len(voiced)
    return (own + _USUAL_CHANGE * _USUAL_CHANGE_FRAMES) / (len(voiced) + _USUAL_CHANGE_FRAMES)


def _mask(spans: tuple[Span, ...], count: int) -> NDArray[np.bool_]:
    mask = np.zeros(count, dtype=np.bool_)
    for start, end in spans:
        mask[int(start / STEP_SECONDS) : int(np.ceil(end / STEP_SECONDS))] = True
    return mask


def _features(audio: FloatArray, first: int, last: int, limits: clipping.ClippingLimits) -> _Block:
    level_frames = _frames(audio, first, last, _LEVEL_WINDOW)
    log_bands = _log_bands(_frames(audio, first - _FLUX_LAG, last, _FLUX_WINDOW))
    change = log_bands[_FLUX_LAG:] - log_bands[:-_FLUX_LAG]
    cepstrum = fft.dct(log_bands[_FLUX_LAG:], axis=1, norm="ortho")[:, 1 : _COEFFICIENTS + 1]
    return _Block(
        candidates=pitch.find_candidates(_frames(audio, first, last, pitch.WINDOW_SAMPLES)),
        level_db=_a_weighted_level(level_frames),
        flux=np.sqrt((change**2).mean(axis=1)).astype(np.float32),
        clipped=clipping.clipped_share(_frames(audio, first, last, _HOP), limits, first=first),
        timbre=cepstrum.astype(np.float32),
    )


def _frames(audio: FloatArray, first: int, last: int, width: int) -> NDArray[np.float32]:
    """Return windows of `width` samples centred on frames `first` to
    `last`, padded with silence.
    """
    start = int((first + 0.5) * _HOP) - width // 2
    end = int((last - 0.5) * _HOP) - width // 2 + width
    inside = np.asarray(audio[max(start, 0) : min(end, len(audio))], dtype=np.float32)
    padded = np.pad(inside, (max(-start, 0), max(end - max(len(audio), start), 0)))
    return np.lib.stride_tricks.sliding_window_view(padded, width)[::_HOP]


def _a_weighted_level(frames: NDArray[np.float32]) -> FloatArray:
    width = frames.shape[1]
    window = np.hanning(width).astype(np.float32)
    power = np.abs(fft.rfft(frames * window, axis=1)) ** 2
    hz = np.fft.rfftfreq(width, 1 / SAMPLE_RATE_HZ)
    gain = 10 ** (librosa.A_weighting(np.maximum(hz, 1.0)) / 10)
    mean_square = (power @ gain) * 2 / (width * (window**2).sum())
    level: FloatArray = 10 * np.log10(np.maximum(mean_square, _SILENCE)).astype(np.float32)
    return level


def _log_bands(frames: NDArray[np.float32]) -> NDArray[np.float32]:
    window = np.hanning(frames.shape[1]).astype(np.float32)
    power = np.abs(fft.rfft(frames * window, axis=1)) ** 2
    bands = librosa.filters.mel(
        sr=SAMPLE_RATE_HZ, n_fft=frames.shape[1], n_mels=_BANDS, fmin=80.0, fmax=7600.0
    )
    logged: NDArray[np.float32] = np.log(power @ bands.T + 1e-7)
    return logged
