"""Voice activity detection: a small neural detector for speech, spectral
contrast for exact edges.
"""

from __future__ import annotations

from collections.abc import Sequence

import librosa
import numpy as np
from faster_whisper.vad import get_vad_model
from numpy.typing import NDArray
from scipy import fft
from scipy.ndimage import binary_dilation, uniform_filter1d

from analysis.backends.speech import second_opinion
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Progress, Span

SHORTEST_GAP_SECONDS = 0.1
"""Shortest gap kept; thresholds for pauses are applied later."""
SHORTEST_SPEECH_SECONDS = 0.06
_SHORTEST_ALONE_SECONDS, _ALONE_SECONDS = 0.2, 1.0
"""Shortest isolated sound: one shorter than a syllable without speech within a second is a click or
the onset of a tone (rule of thumb).
"""

VOICE_PIECE = _CHUNK = 512
_HOP = 160
_STEP = _HOP / SAMPLE_RATE_HZ
_ENTER, _LEAVE = 0.5, 0.12
"""Hysteresis thresholds. Speech starts at 0.5, as usual. The detector takes a long steady vowel
("uh") for a tone and falls to 0.1, so speech ends only below 0.12; contrast removes real
silence.
"""
_ENTER_NEAR_SPEECH, _NEAR_SECONDS = 0.25, 1.0
"""Threshold close to certain speech, where a hoarse "uh" counts that alone would not."""
_USUAL_LEVEL, _LEVEL_PERCENT, _LEVEL_SAMPLES = 0.1, 95, 1600
"""Level of the sound given to the detector, which misses more of soft recordings: over 85 labelled
ones it took 0.86 of the foreground for speech at a level of 0.002, 0.88 at 0.01, 0.91 at 0.1,
0.90 at 0.2. The level is the 95th percentile of the root mean square of each tenth of a second.
"""
_LARGEST_GAIN = 100.0
_RAISED_UNDER = 0.01
"""Level below which a whole recording is amplified before any analysis (20 dB below the usual
level). Recordings 38 and 50 dB too soft then have the pauses of the original; without
amplification they had two and three times as many (rules of thumb).
"""
VERY_QUIET_LEVEL = 0.003
"""Level at which 16 bits leave barely 40 dB above their own noise, so that soft sounds are lost
(rule of thumb).
"""
_ASKED_UNDER, _BELIEVED_FROM, _BELIEVED_MORE = 0.7, 0.6, 0.2
"""Limits for the second detector, as shares of the foreground. It is asked if the first takes less
than this for speech, and believed if it takes this much, and this much more. The first detector
found almost nothing of a hoarse voice and of others on a telephone or slowed, where people and
the second detector hear every word; the second takes half of a steady tone for a voice (rules of
thumb).
"""
_REACH_FRAMES = 16
"""Largest outward move of an edge by contrast: the detector sees 32 ms and reacts late."""
_CONTRAST_DB = 3.0
_TRUST_DB = 2.0
"""Decision rule: a frame is speech if contrast, plus 2 dB times (probability - 0.5), exceeds 3 dB.
Broad optimum (2.5 to 3.5 dB, 1 to 3) on three recordings with hand-set word times.
"""
_HIGHEST_CONTRAST_DB = 20.0
_BLOCK_SECONDS = 64
_LEAD_IN_SECONDS = 3.2
"""Lead-in of each block, since the detector has memory; block borders then have no effect."""
_FLOOR_FRAMES = 1200
_FLOOR_PERCENT = 10
"""Noise floor of a band: its 10th percentile over the surrounding 12 s."""
_THINNING, _EVERY = 50, 4
_DIGITAL_SILENCE_DB = -75.0
_LOWER_BESIDE_SILENCE_DB = 1.0
_BANDS = 24
_WINDOW = 400
_FFT_SIZE = 512
_SILENCE = 1e-9
_FRAMES_AT_ONCE = 3000


def find_speech(audio: FloatArray, *, progress: Progress) -> tuple[Span, ...]:
    """Return spans of speech in seconds, in time order, at least 100 ms apart.

    `audio` may be a memory map of any length; it is read block by block.
    """
    if not len(audio):
        return ()
    gain = _gain(audio)
    probability, contrast = _measure(audio, gain, progress)
    count = len(contrast)
    likely = _likely_speech(probability, count)
    standing_out = contrast > _CONTRAST_DB
    taken = _share(likely, standing_out)
    if taken < _ASKED_UNDER and len(again := second_opinion.probabilities(audio, gain)):
        other = _likely_speech(again, count)
        if _share(other, standing_out) >= max(_BELIEVED_FROM, taken + _BELIEVED_MORE):
            probability, likely = again, other
    if not likely.any():
        return ()
    clock = (np.arange(count) + 0.5) * _HOP
    expected = np.interp(clock, (np.arange(len(probability)) + 0.5) * _CHUNK, probability)
    active = likely & (contrast + _TRUST_DB * (expected - 0.5) > _CONTRAST_DB)
    return _spans(active, duration=len(audio) / SAMPLE_RATE_HZ)


def voiced_pieces(samples: FloatArray) -> NDArray[np.bool_]:
    """Return whether each VOICE_PIECE samples contain speech, to choose among tracks or channels.

    Less exact than `find_speech`, which uses context and edges.
    """
    if not len(samples):
        return np.zeros(0, dtype=np.bool_)
    sure: NDArray[np.bool_] = _probability(samples, 0, len(samples), _gain(samples)) >= _ENTER
    return sure


def find_sounds(audio: FloatArray, within: Span) -> tuple[Span, ...]:
    """Return the foreground sounds within a span of the recording, speech or not."""
    found: list[Span] = []
    first, last = (round(at * SAMPLE_RATE_HZ) // _HOP * _HOP for at in within)
    block = _BLOCK_SECONDS * SAMPLE_RATE_HZ
    for start in range(first, last, block):
        end = min(start + block, last)
        contrast = _contrast(audio, start, end)
        shift = start / SAMPLE_RATE_HZ
        found += [
            (round(begin + shift, 3), round(stop + shift, 3))
            for begin, stop in _merged(contrast > _CONTRAST_DB)
        ]
    return tuple(found)


def _share(likely: NDArray[np.bool_], standing_out: NDArray[np.bool_]) -> float:
    return float(likely[standing_out].mean()) if standing_out.any() else 1.0


def raising_gain(audio: FloatArray) -> tuple[float, float]:
    """Return the gain for a soft recording (1 if it is not soft) and its level."""
    loud = _loud_level(audio)
    is_soft = 0 < loud < _RAISED_UNDER
    return (min(_USUAL_LEVEL / loud, _LARGEST_GAIN) if is_soft else 1.0), loud


def _gain(audio: FloatArray) -> np.float32:
    """Return the gain that brings the loud parts to the level at which the detectors work best."""
    loud = _loud_level(audio)
    return np.float32(min(_USUAL_LEVEL / max(loud, 1e-9), _LARGEST_GAIN) if loud >= 0 else 1.0)


def _loud_level(audio: FloatArray) -> float:
    """Return the level of the loud parts; negative if there is less than a tenth of a second."""
    block = _BLOCK_SECONDS * SAMPLE_RATE_HZ
    levels = [
        np.sqrt(np.mean(np.square(part.reshape(-1, _LEVEL_SAMPLES)), axis=1))
        for start in range(0, len(audio), block)
        if len(part := _whole_tenths(audio[start : start + block]))
    ]
    if not levels:
        return -1.0
    return float(np.percentile(np.concatenate(levels), _LEVEL_PERCENT))


def _whole_tenths(samples: FloatArray) -> FloatArray:
    return np.asarray(samples[: len(samples) // _LEVEL_SAMPLES * _LEVEL_SAMPLES])


def _measure(
    audio: FloatArray, gain: np.float32, progress: Progress
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the speech probability of each 32 ms and the contrast to the background (dB) of each
    10 ms.
    """
    probabilities: list[NDArray[np.float32]] = []
    contrasts: list[NDArray[np.float32]] = []
    block = _BLOCK_SECONDS * SAMPLE_RATE_HZ  # a multiple of both the chunk and the hop
    for start in range(0, len(audio), block):
        probabilities.append(_probability(audio, start, start + block, gain))
        contrasts.append(_contrast(audio, start, min(start + block, len(audio))))
        progress(min((start + block) / len(audio), 1.0))
    return np.concatenate(probabilities), np.concatenate(contrasts)


def _probability(audio: FloatArray, start: int, end: int, gain: np.float32) -> NDArray[np.float32]:
    lead = min(int(_LEAD_IN_SECONDS * SAMPLE_RATE_HZ), start)
    samples = np.clip(np.asarray(audio[start - lead : end]) * gain, -1, 1)
    padded = np.pad(samples, (0, -len(samples) % _CHUNK))
    found: NDArray[np.float32] = get_vad_model()(padded).reshape(-1)
    return found[lead // _CHUNK :]


def _contrast(audio: FloatArray, start: int, end: int) -> NDArray[np.float32]:
    """Return the mean excess (dB) of the frequency bands over their own floor, so that fricatives
    count.
    """
    margin = _FLOOR_FRAMES // 2 * _HOP
    first = max(start - margin, 0)
    last = min(end + margin, len(audio))
    bands = uniform_filter1d(_band_levels(np.asarray(audio[first:last])), 3, axis=0)
    floor = _floor(bands)
    over = np.clip(bands - floor, 0.0, _HIGHEST_CONTRAST_DB).mean(axis=1)
    skipped = (start - first) // _HOP
    wanted: NDArray[np.float32] = over[skipped : skipped + -(-(end - start) // _HOP)]
    return wanted.astype(np.float32)


def _floor(bands: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return each band's low percentile over the surrounding seconds, without digital silence.

    Silence left by a noise gate or a cut is not background; used as such it would turn the real
    background into speech. The quietest sound next to it may be a fading voice, so the floor is
    then set a little lower.
    """
    audible = bands.max(axis=1) > _DIGITAL_SILENCE_DB
    floors = []
    for middle in range(_THINNING // 2, len(bands) + _THINNING // 2, _THINNING):
        near = slice(max(middle - _FLOOR_FRAMES // 2, 0), middle + _FLOOR_FRAMES // 2)
        heard = bands[near][audible[near]][::_EVERY]
        if len(heard):
            lower = 0.0 if audible[near].all() else _LOWER_BESIDE_SILENCE_DB
            floors.append(np.percentile(heard, _FLOOR_PERCENT, axis=0) - lower)
        else:
            floors.append(bands[near].max(axis=0))
    repeated: NDArray[np.float32] = np.repeat(np.array(floors), _THINNING, axis=0)[: len(bands)]
    return repeated


def _band_levels(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    count = -(-len(samples) // _HOP)
    padded = np.pad(samples.astype(np.float32), ((_WINDOW - _HOP) // 2, _WINDOW + _HOP))
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[::_HOP][:count]
    window = np.hanning(_WINDOW).astype(np.float32)
    levels = np.empty((count, _BANDS), dtype=np.float32)
    filters = librosa.filters.mel(
        sr=SAMPLE_RATE_HZ, n_fft=_FFT_SIZE, n_mels=_BANDS, fmin=100.0, fmax=7000.0
    ).T
    for first in range(0, count, _FRAMES_AT_ONCE):
        part = frames[first : first + _FRAMES_AT_ONCE]
        power = np.abs(fft.rfft(part * window, _FFT_SIZE, axis=1)) ** 2
        levels[first : first + len(part)] = 10 * np.log10(power @ filters + _SILENCE)
    return levels


def _likely_speech(probability: NDArray[np.float32], count: int) -> NDArray[np.bool_]:
    """Return whether each 10 ms frame is in speech, by hysteresis, widened
    by the detector's reach.
    """
    sure = probability >= _ENTER
    if not sure.any():
        return np.zeros(count, dtype=np.bool_)
    near = binary_dilation(sure, iterations=round(_NEAR_SECONDS * SAMPLE_RATE_HZ / _CHUNK))
    inside = np.zeros(len(probability), dtype=np.bool_)
    speaking = False
    for index, value in enumerate(probability):
        enter = _ENTER_NEAR_SPEECH if near[index] else _ENTER
        speaking = bool(value >= (_LEAVE if speaking else enter))
        inside[index] = speaking
    chunks = ((np.arange(count) + 0.5) * _HOP).astype(int) // _CHUNK
    on_clock = inside[np.minimum(chunks, len(inside) - 1)]
    widened: NDArray[np.bool_] = binary_dilation(on_clock, iterations=_REACH_FRAMES)
    return widened


def _spans(active: NDArray[np.bool_], *, duration: float) -> tuple[Span, ...]:
    spoken = [
        (start, end)
        for start, end in _merged(active)
        if end - start >= SHORTEST_SPEECH_SECONDS - 1e-6
    ]
    return tuple(
        (round(start, 3), round(min(end, duration), 3))
        for index, (start, end) in enumerate(spoken)
        if end - start >= _SHORTEST_ALONE_SECONDS or not _is_alone(spoken, index)
    )


def _merged(active: NDArray[np.bool_]) -> list[Span]:
    """Return spans of active frames in seconds, merged across gaps shorter
    than the shortest gap.
    """
    framed = np.concatenate([[False], active, [False]])
    edges = np.flatnonzero(framed[1:] != framed[:-1]).reshape(-1, 2) * _STEP
    merged: list[Span] = []
    for start, end in edges:
        if merged and start - merged[-1][1] < SHORTEST_GAP_SECONDS - 1e-6:
            merged[-1] = (merged[-1][0], float(end))
        else:
            merged.append((float(start), float(end)))
    return merged


def _is_alone(spans: Sequence[Span], index: int) -> bool:
    """Return whether there is no other speech within a second."""
    start, end = spans[index]
    before = spans[index - 1][1] if index else -np.inf
    after = spans[index + 1][0] if index + 1 < len(spans) else np.inf
    return start - before > _ALONE_SECONDS and after - end > _ALONE_SECONDS
