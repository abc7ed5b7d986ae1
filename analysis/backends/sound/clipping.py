"""Clipping: samples cut off at full scale, or at a level that was lowered afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from analysis.ports import SAMPLE_RATE_HZ, FloatArray

_FULL_SCALE = 0.985
_RUN = 3
"""Shortest run; single peaks are not clipping."""
_BLOCK_SECONDS = 30
_BINS_PER_UNIT, _HIGHEST = 5000, 2.0
_PEAK_SHARE = 1e-4
_QUIETEST_PEAK = 0.03
_LEAST_OF_OTHER, _JUMP = 0.25, 0.02
"""Limits against false clipping. A side with less than a quarter of the other's peak ends there
naturally, as a rectified signal does at zero. If the medians of half seconds differ more, a DC
offset has changed (rules of thumb).
"""
_LEAST_SAMPLES = 80_000
"""Shortest sound; in less than 5 s a steady vowel, whose peaks are all alike, may decide (rule of
thumb).
"""
_LOWEST = 0.6
"""Resampled or encoded sound overshoots the level of the cut, by a third at most."""
_WIDTH, _BELOW = 0.03, (0.14, 0.08)
_HEAP, _LEAST_SHARE = 1.5, 0.002
"""Density limits: a band around the level of the cut contains half as many samples more than an
equally wide band at nine tenths of it. Of 44 voice recordings none exceeds 0.95 with this many
samples; of voices through limiters (20 dB and more into them) none exceeds 1.25. Clipped by 6 dB
they reach 2 to 5, and 1.5 to 3 if encoded afterwards (rules of thumb).
"""


@dataclass(frozen=True, slots=True)
class ClippingLimits:
    """Clipping levels on both sides of the DC offset.

    Full scale always counts as clipped.
    """

    low: float = -np.inf
    high: float = np.inf
    rests: FloatArray = field(default_factory=lambda: np.zeros(0, dtype=np.float32))
    """Median of each second: some microphones add a DC offset, which may jump or drift."""

    def at_frames(self, first: int, count: int, width: int) -> FloatArray:
        """Return the DC offset of frames `first` to `first + count`, each `width` samples, shape
        (count, 1).
        """
        if not len(self.rests):
            return np.zeros((count, 1), dtype=np.float32)
        seconds = (np.arange(first, first + count) * width) // SAMPLE_RATE_HZ
        return self.rests[np.minimum(seconds, len(self.rests) - 1)][:, None]


def find_limits(audio: FloatArray) -> ClippingLimits:
    """Return the levels at which the samples of a whole recording accumulate."""
    counts = np.zeros((2, round(_BINS_PER_UNIT * _HIGHEST)), dtype=np.int64)
    rests: list[FloatArray] = []
    for first in range(0, len(audio), _BLOCK_SECONDS * SAMPLE_RATE_HZ):
        block, resting = _centred(
            np.asarray(audio[first : first + _BLOCK_SECONDS * SAMPLE_RATE_HZ])
        )
        rests.append(resting)
        places = np.minimum(np.abs(block) * _BINS_PER_UNIT, counts.shape[1] - 1).astype(np.intp)
        for side, chosen in enumerate((block < 0, block > 0)):
            counts[side] += np.bincount(places[chosen], minlength=counts.shape[1])
    peaks = [_peak(side) for side in counts]
    low, high = (
        _accumulation_level(side, len(audio), peak)
        if peak >= _LEAST_OF_OTHER * max(peaks)
        else np.inf
        for side, peak in zip(counts, peaks, strict=True)
    )
    nothing = np.zeros(0, dtype=np.float32)
    return ClippingLimits(low=-low, high=high, rests=np.concatenate([nothing, *rests]))


def _centred(block: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the samples minus the median of their second, and that median for each second.

    Seconds in which the median jumps are left out of the samples.
    """
    seconds = [
        block[start : start + SAMPLE_RATE_HZ] for start in range(0, len(block), SAMPLE_RATE_HZ)
    ]
    rests = np.array([np.median(second) for second in seconds], dtype=np.float32)
    steady = [
        second - rest for second, rest in zip(seconds, rests, strict=True) if not _jumps(second)
    ]
    return np.concatenate([np.zeros(0, dtype=np.float32), *steady]), rests


def _jumps(second: FloatArray) -> bool:
    first, last = np.array_split(second, 2)
    return len(first) > 0 < len(last) and bool(abs(np.median(first) - np.median(last)) > _JUMP)


def clipped_share(
    frames: NDArray[np.float32], limits: ClippingLimits, *, first: int = 0
) -> FloatArray:
    """Return the share of clipped samples in runs of at least three, per frame.

    `first` is the index of the first frame in the recording.
    """
    centred = frames - limits.at_frames(first, *frames.shape)
    at_limit = (centred >= limits.high) | (centred <= limits.low) | (np.abs(frames) >= _FULL_SCALE)
    if not at_limit.any():
        return np.zeros(len(frames), dtype=np.float32)
    runs = at_limit.copy()
    for shift in range(1, _RUN):
        runs[:, shift:] &= at_limit[:, :-shift]
    runs[:, : _RUN - 1] = False
    spread = runs.copy()
    for shift in range(1, _RUN):
        spread[:, :-shift] |= runs[:, shift:]
    share: FloatArray = spread.mean(axis=1).astype(np.float32)
    return share


def _above(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of samples of one side at or above each level."""
    return np.concatenate([np.cumsum(counts[::-1])[::-1], [0]])


def _peak(counts: NDArray[np.int64]) -> float:
    """Return the level that one side hardly exceeds."""
    above = _above(counts)
    return int(np.searchsorted(-above, -_PEAK_SHARE * above[0])) / _BINS_PER_UNIT


def _accumulation_level(counts: NDArray[np.int64], samples: int, peak: float) -> float:
    """Return the level at which the samples of one side accumulate; infinite if they do not."""
    above = _above(counts)
    if samples < _LEAST_SAMPLES or peak < _QUIETEST_PEAK:
        return np.inf

    def between(start: float, end: float) -> int:
        first, last = (
            min(max(round(at * peak * _BINS_PER_UNIT), 0), len(counts)) for at in (start, end)
        )
        return int(above[first] - above[last])

    best, limit = _HEAP, np.inf
    for at in np.arange(_LOWEST, 1.1, 0.01):
        heap = between(at - _WIDTH, at + _WIDTH)
        below = between(at - _BELOW[0], at - _BELOW[1])
        if (
            above[min(round((at - _WIDTH) * peak * _BINS_PER_UNIT), len(counts))]
            < _LEAST_SHARE * samples
        ):
            break
        if heap >= best * max(below, 1):
            best, limit = heap / max(below, 1), (at - _WIDTH) * peak
    return float(limit)
