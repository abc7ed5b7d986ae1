"""Audio decoding: writes the sound of a recording as raw 16 kHz mono samples,
and maps that file.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from av.error import FFmpegError
from numpy.typing import NDArray

from analysis.errors import MediaTooLong
from analysis.ports import SAMPLE_RATE_HZ, FloatArray

# Smaller gaps and overlaps between frames are rounding; larger ones are silence that was not
# stored. A rule of thumb: a twentieth of a second is below any pause that we report.
_SLACK_SECONDS = 0.05
# Longest gap past the stated end of the file that is believed.
_LONGEST_UNSTATED_GAP = 30.0
# Sample rates of sound cards and formats are well inside these; beyond them the header is wrong.
_LOWEST_RATE_HZ, _HIGHEST_RATE_HZ = 1_000, 768_000
_SILENCE_AT_ONCE = 160_000
_HIGHEST_RAISED = 0.98
# Correlation of two channels: 1 for the same sound, near 0 for different ones, -1 for inverted
# polarity. Below this they would cancel rather than add up (rule of thumb).
_OPPOSITE = -0.5
# The same voice in two microphones, one of them later, cancels in parts of its spectrum (comb
# filter). We search a quarter of each second for delays of 30 cm to 7 m (closer microphones cancel
# little). With one microphone per person each voice is late in the other channel, so both
# directions are compared (rules of thumb).
_BLOCK, _EVERY, _LEAST_BLOCKS, _LEAST_LAG, _MOST_LAG = 4096, 4, 4, 16, 320
_LAGGED, _ONE_WAY = 0.5, 0.7


def read_audio(path: Path) -> FloatArray:
    """Map the samples of a raw float32 file into memory; only the parts in use are loaded."""
    if path.stat().st_size < 4:
        return np.zeros(0, dtype=np.float32)
    return np.memmap(path, dtype="<f4", mode="r")


def release_memory(audio: FloatArray) -> None:
    """Release the memory of mapped samples; the system reads them again when needed."""
    mapped: object = audio.base
    if isinstance(mapped, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        mapped.madvise(mmap.MADV_DONTNEED)


def amplify_audio(path: Path, gain: float) -> None:
    """Amplify the samples of a raw file in place, block by block.

    Peaks, such as a bump against the microphone, are limited just below full scale, so that they do
    not count as clipping.
    """
    with path.open("r+b") as file:
        while content := file.read(4 * _SILENCE_AT_ONCE):
            louder = np.frombuffer(content, dtype="<f4") * np.float32(gain)
            file.seek(-len(content), os.SEEK_CUR)
            file.write(np.clip(louder, -_HIGHEST_RAISED, _HIGHEST_RAISED).tobytes())


class Downmix:
    """Downmix of two channels to one that loses no voice.

    A balanced microphone on a stereo socket, or a plug with inverted wiring, gives the same voice
    twice in opposite phase: people hear it, but the mean of the channels is silence. The second
    channel is then inverted. The decision is based on all sound so far.

    A microphone at the mouth and another on the camera give the same voice twice, one of them
    later, so that their sum sounds hollow (comb filter). The earlier channel is then used alone.
    """

    def __init__(self) -> None:
        self._first = self._second = self._both = 0.0
        self._delay = _DelayEstimate()

    def of(self, samples: FloatArray) -> FloatArray:
        """Return the mean of the channels, half of their difference, or the earlier channel; shape
        (1, n).
        """
        first, second = samples.astype(np.float64)
        self._first += float(first @ first)
        self._second += float(second @ second)
        self._both += float(first @ second)
        alike = self._both / max((self._first * self._second) ** 0.5, 1e-12)
        earlier = self._delay.earlier_of(samples)
        if earlier is not None:
            alone: FloatArray = samples[earlier][None].astype(np.float32)
            return alone
        mixed: FloatArray = (first - second if alike < _OPPOSITE else first + second)[None] / 2
        return mixed.astype(np.float32)


class _DelayEstimate:
    """Delay estimate between two channels, based on all sound so far."""

    def __init__(self) -> None:
        self._waiting = np.zeros((2, 0))
        self._blocks = 0
        self._energy = np.zeros(2)
        self._lagged = np.zeros(2 * _MOST_LAG + 1)
        self._earlier: int | None = None

    def earlier_of(self, samples: FloatArray) -> int | None:
        """Add a block and return the channel that hears the voice first; None without a clear
        delay.
        """
        self._waiting = np.concatenate([self._waiting, samples], axis=1)
        while self._waiting.shape[1] >= _BLOCK:
            block, self._waiting = np.split(self._waiting, [_BLOCK], axis=1)
            if self._blocks % _EVERY == 0:
                self._take(block)
                self._earlier = self._judged()
            self._blocks += 1
        return self._earlier if self._blocks >= _LEAST_BLOCKS * _EVERY else None

    def _take(self, block: NDArray[np.float64]) -> None:
        first, second = np.fft.rfft(block, 2 * _BLOCK, axis=1)
        lagged = np.fft.irfft(np.conj(first) * second)
        self._lagged += np.roll(lagged, _MOST_LAG)[: 2 * _MOST_LAG + 1]
        self._energy += (block**2).sum(axis=1)

    def _judged(self) -> int | None:
        alike = np.abs(self._lagged) / max(float(self._energy.prod()) ** 0.5, 1e-12)
        at = int(alike.argmax()) - _MOST_LAG
        there, back = alike[_MOST_LAG + at], alike[_MOST_LAG - at]
        if abs(at) < _LEAST_LAG or there < _LAGGED or back > _ONE_WAY * there:
            return None
        return 0 if at > 0 else 1


def channel_of(frame: AudioFrame, channel: int) -> AudioFrame:
    """Return one channel of a frame of any layout and format; the whole frame if it lacks that
    channel.
    """
    count = frame.layout.nb_channels
    if channel >= count or count == 1:
        return frame
    samples = frame.to_ndarray()
    one = samples[channel] if frame.format.is_planar else samples.reshape(-1, count)[:, channel]
    alone = AudioFrame.from_ndarray(
        np.ascontiguousarray(one)[None], format=frame.format.name, layout="mono"
    )
    alone.sample_rate = frame.sample_rate
    return alone


class ContinuousAudio:
    """Resampler of decoded frames to one layout and rate, with sample 0 at media time 0.

    Late starts and gaps become silence. If the file's clock jumps back, as in chained streams, the
    sound continues where it was. Blocks are arrays of shape (channels, samples). `channel` is the
    only channel to use.
    """

    def __init__(
        self, *, layout: str, rate: int, claimed: float | None, channel: int | None = None
    ) -> None:
        self._layout = layout
        self._channel = channel
        self._one_voice = Downmix() if layout == "mono" else None
        self._rate = rate
        self._claimed = claimed or 0.0
        self._nothing = np.zeros((1 if layout == "mono" else 2, 0), dtype=np.float32)
        self._samples = 0
        self._shift = 0.0
        self._resampler: AudioResampler | None = None
        self._setup: tuple[str, str, int] | None = None
        self.heard = False

    @property
    def seconds(self) -> float:
        """Return the seconds written so far, silence included."""
        return self._samples / self._rate

    def add(self, frame: AudioFrame, time: float | None) -> Iterator[FloatArray]:
        """Yield the samples up to the end of a frame that begins at media `time`.

        Raises ValueError if the frame is invalid.
        """
        if not _LOWEST_RATE_HZ <= frame.sample_rate <= _HIGHEST_RATE_HZ or not frame.samples:
            raise ValueError("not a frame of sound")
        if self._channel is not None:
            frame = channel_of(frame, self._channel)
        samples = self._resampled(frame)
        if time is not None:
            gap = time + self._shift - self.seconds
            if not self.heard and gap < 0:
                samples = samples[:, min(samples.shape[1], round(-gap * self._rate)) :]
            elif abs(gap) > _SLACK_SECONDS:
                yield from self._silence(gap)
        yield from self._counted(samples)

    def finish(self) -> Iterator[FloatArray]:
        """Yield the samples left in the resampler."""
        yield from self._counted(self._flushed())

    def _resampled(self, frame: AudioFrame) -> FloatArray:
        setup = (frame.format.name, frame.layout.name, frame.sample_rate)
        rest = self._nothing
        if self._resampler is None or setup != self._setup:
            rest = self._flushed()
            is_pair = self._one_voice is not None and frame.layout.nb_channels == 2
            layout = "stereo" if is_pair else self._layout
            self._resampler = AudioResampler(format="fltp", layout=layout, rate=self._rate)
            self._setup = setup
        # The resampler rejects jumping time stamps; this class keeps the clock.
        frame.pts = None
        return np.concatenate([rest, *self._arrays(self._resampler.resample(frame))], axis=1)

    def _flushed(self) -> FloatArray:
        resampler, self._resampler = self._resampler, None
        if resampler is None:
            return self._nothing
        try:
            return np.concatenate([self._nothing, *self._arrays(resampler.resample(None))], axis=1)
        except (FFmpegError, ValueError):
            return self._nothing

    def _arrays(self, frames: list[AudioFrame]) -> Iterator[FloatArray]:
        for frame in frames:
            samples = np.asarray(frame.to_ndarray(), dtype=np.float32)
            is_pair = samples.shape[0] > 1
            yield self._one_voice.of(samples) if self._one_voice and is_pair else samples

    def _silence(self, gap: float) -> Iterator[FloatArray]:
        """Yield silence for a credible gap; otherwise shift the clock to the new time."""
        if gap < 0 or (gap > _LONGEST_UNSTATED_GAP and self.seconds + gap > self._claimed):
            self._shift -= gap
            return
        left = round(gap * self._rate)
        while left > 0:
            count = min(left, _SILENCE_AT_ONCE)
            self._samples += count
            yield np.zeros((self._nothing.shape[0], count), dtype=np.float32)
            left -= count

    def _counted(self, samples: FloatArray) -> Iterator[FloatArray]:
        if samples.shape[1]:
            self.heard = True
            self._samples += samples.shape[1]
            if not np.isfinite(samples).all():
                samples = np.nan_to_num(samples, nan=0.0, posinf=0.0, neginf=0.0)
            yield samples


class AudioWriter:
    """Writer of decoded frames to a raw file of mono samples at SAMPLE_RATE_HZ."""

    def __init__(
        self,
        file: BinaryIO,
        *,
        claimed: float | None,
        max_seconds: float,
        channel: int | None = None,
    ) -> None:
        self._file = file
        self._max_seconds = max_seconds
        self._sound = ContinuousAudio(
            layout="mono", rate=SAMPLE_RATE_HZ, claimed=claimed, channel=channel
        )

    @property
    def seconds(self) -> float:
        """Return the seconds written so far, silence included."""
        return self._sound.seconds

    @property
    def heard(self) -> bool:
        """Return whether any sound has been decoded."""
        return self._sound.heard

    def add(self, frame: AudioFrame, time: float | None) -> bool:
        """Append a frame that begins at media `time`; return False if it is invalid."""
        try:
            self._write(self._sound.add(frame, time))
        except (FFmpegError, ValueError, OverflowError, MemoryError):
            return False
        return True

    def finish(self) -> None:
        """Write the samples left in the resampler."""
        self._write(self._sound.finish())

    def _write(self, pieces: Iterator[FloatArray]) -> None:
        for piece in pieces:
            if self._sound.seconds > self._max_seconds:
                raise MediaTooLong("longer_than_allowed")
            self._file.write(piece.astype("<f4", copy=False).tobytes())
