"""Decodes the sound of a recording to a raw file of 16 kHz mono samples, and maps that file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from av.error import FFmpegError

from analysis.errors import MediaTooLong
from analysis.ports import SAMPLE_RATE_HZ, FloatArray

# Smaller gaps and overlaps between frames are rounding; larger ones are silence that was not
# stored. A rule of thumb: a twentieth of a second is under any pause that we report.
_SLACK_SECONDS = 0.05
# A gap that reaches past the stated end of the file is believed up to this length.
_LONGEST_UNSTATED_GAP = 30.0
# Sound cards and formats end well inside these; beyond them a header lies.
_LOWEST_RATE_HZ, _HIGHEST_RATE_HZ = 1_000, 768_000
_SILENCE_AT_ONCE = 10 * SAMPLE_RATE_HZ
_NOTHING = np.zeros(0, dtype=np.float32)


def read_audio(path: Path) -> FloatArray:
    """The samples of a raw float32 file, mapped into memory: only what is looked at is loaded."""
    if path.stat().st_size < 4:
        return np.zeros(0, dtype=np.float32)
    return np.memmap(path, dtype="<f4", mode="r")


class AudioWriter:
    """Appends decoded frames to a raw file so that sample 0 is media time 0.

    Late starts and gaps become silence. Where the clock of the file jumps back, as in chained
    streams, sound goes on where it was.
    """

    def __init__(self, file: BinaryIO, *, claimed: float | None, max_seconds: float) -> None:
        self._file = file
        self._claimed = claimed or 0.0
        self._max_samples = round(max_seconds * SAMPLE_RATE_HZ)
        self._samples = 0
        self._shift = 0.0
        self._heard = False
        self._resampler: AudioResampler | None = None
        self._setup: tuple[str, str, int] | None = None

    @property
    def seconds(self) -> float:
        """How much has been written, silence included."""
        return self._samples / SAMPLE_RATE_HZ

    @property
    def heard(self) -> bool:
        """Whether any sound has been decoded."""
        return self._heard

    def add(self, frame: AudioFrame, time: float | None) -> bool:
        """Append one frame that begins at media `time`; False where it makes no sense."""
        if not _LOWEST_RATE_HZ <= frame.sample_rate <= _HIGHEST_RATE_HZ or not frame.samples:
            return False
        try:
            samples = self._resampled(frame)
        except (FFmpegError, ValueError, OverflowError, MemoryError):
            return False
        if time is not None:
            samples = self._placed(samples, time)
        self._write(samples)
        return True

    def finish(self) -> None:
        """Write what the resampler still holds."""
        self._write(self._flushed())

    def _resampled(self, frame: AudioFrame) -> FloatArray:
        setup = (frame.format.name, frame.layout.name, frame.sample_rate)
        rest = _NOTHING
        if self._resampler is None or setup != self._setup:
            rest = self._flushed()
            self._resampler = AudioResampler(format="flt", layout="mono", rate=SAMPLE_RATE_HZ)
            self._setup = setup
        # The resampler refuses time stamps that jump; this class keeps the clock.
        frame.pts = None
        return np.concatenate([rest, *_arrays(self._resampler.resample(frame))])

    def _flushed(self) -> FloatArray:
        resampler, self._resampler = self._resampler, None
        if resampler is None:
            return _NOTHING
        try:
            return np.concatenate([_NOTHING, *_arrays(resampler.resample(None))])
        except (FFmpegError, ValueError):
            return _NOTHING

    def _placed(self, samples: FloatArray, time: float) -> FloatArray:
        """Put silence before the samples, or cut what lies before media time 0."""
        gap = time + self._shift - self.seconds
        if not self._heard and gap < 0:
            return samples[min(len(samples), round(-gap * SAMPLE_RATE_HZ)) :]
        if gap > _SLACK_SECONDS and self._is_credible(gap):
            self._write_silence(round(gap * SAMPLE_RATE_HZ))
        elif abs(gap) > _SLACK_SECONDS:
            self._shift -= gap
        return samples

    def _is_credible(self, gap: float) -> bool:
        return gap <= _LONGEST_UNSTATED_GAP or self.seconds + gap <= self._claimed

    def _write_silence(self, count: int) -> None:
        while count > 0:
            piece = min(count, _SILENCE_AT_ONCE)
            self._append(np.zeros(piece, dtype=np.float32))
            count -= piece

    def _write(self, samples: FloatArray) -> None:
        if len(samples):
            self._heard = True
            self._append(np.nan_to_num(samples, nan=0.0, posinf=0.0, neginf=0.0))

    def _append(self, samples: FloatArray) -> None:
        self._samples += len(samples)
        if self._samples > self._max_samples:
            raise MediaTooLong("The recording is longer than what is allowed here.")
        self._file.write(samples.astype("<f4", copy=False).tobytes())


def _arrays(frames: list[AudioFrame]) -> Iterator[FloatArray]:
    for frame in frames:
        yield np.asarray(frame.to_ndarray(), dtype=np.float32).reshape(-1)
