"""Upright, downscaled pictures of a recording at a steady rate of presentation time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from av.packet import Packet
from av.stream import Stream
from av.video.frame import VideoFrame
from av.video.reformatter import Interpolation, VideoReformatter
from av.video.stream import VideoStream
from numpy.typing import NDArray

from analysis.backends.media.decode import Reader, ticks_in_seconds
from analysis.backends.media.opening import open_media

RgbArray = NDArray[np.uint8]

_TOLERANCE = 0.001
# A frame within so many frame intervals after a sampling time may be the first one there.
_KEPT_INTERVALS = 1.5
# Below half the size two neighbouring pixels no longer cover what lies between them.
_COARSE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One picture: media time in seconds, and rgb (height, width, 3) with square pixels, upright.

    It always shows the whole picture, whatever its size.
    """

    time: float
    rgb: RgbArray


@dataclass(frozen=True, slots=True, kw_only=True)
class LazyFrame:
    """A decoded picture that costs little until somebody looks at it."""

    time: float
    picture: VideoFrame
    painter: Painter

    def look(self) -> Frame:
        """The picture itself."""
        return Frame(time=self.time, rgb=self.painter.paint(self.picture))


@dataclass(frozen=True, slots=True)
class Orientation:
    """How a stored picture becomes upright: swap its axes first, then flip it."""

    swap: bool = False
    flip_x: bool = False
    flip_y: bool = False

    @property
    def rotation(self) -> int:
        """Degrees clockwise by which players turn the stored picture, mirroring left aside."""
        if self.swap:
            return 270 if self.flip_y else 90
        return 180 if self.flip_y else 0

    def apply(self, rgb: RgbArray) -> RgbArray:
        """The upright picture, in memory order."""
        if self.swap:
            rgb = rgb.transpose(1, 0, 2)
        if self.flip_x:
            rgb = rgb[:, ::-1]
        if self.flip_y:
            rgb = rgb[::-1]
        return np.ascontiguousarray(rgb)


def orientation_of(frame: VideoFrame) -> Orientation:
    """Read the display matrix that phones write; nearest quarter turn."""
    matrix = frame.side_data.get("DISPLAYMATRIX")
    if matrix is None:
        return Orientation()
    # x' = a x + c y and y' = b x + d y, with y pointing down (libavutil/display.h).
    a, b, _, c, d = (int(value) for value in np.frombuffer(matrix, dtype=np.int32)[:5])  # type: ignore[call-overload]
    if abs(a) >= abs(b):
        return Orientation(flip_x=a < 0, flip_y=d < 0)
    return Orientation(swap=True, flip_x=c < 0, flip_y=b < 0)


def sampled_frames(
    path: Path,
    *,
    per_second: float,
    max_side: int,
    start: float | None = None,
    end: float | None = None,
) -> Iterator[Frame]:
    """Frames of the recording at `per_second`, by presentation time, `start <= time < end`.

    Nothing is yielded without a picture. One frame is held at a time. Damaged frames are left
    out. Raises the errors of `open_media`.
    """
    for moment in sampled_moments(
        path, per_second=per_second, max_side=max_side, start=start, end=end
    ):
        yield moment.look()


def sampled_moments(
    path: Path,
    *,
    per_second: float,
    max_side: int,
    start: float | None = None,
    end: float | None = None,
    threads: int = 0,
) -> Iterator[LazyFrame]:
    """The same, not looked at yet.

    They are decoded by `threads` at most; 0 leaves that to the decoder.
    """
    with open_media(path) as opened:
        if opened.video is None:
            return
        reader = Reader(opened)
        sampler = _Sampler(opened.video, per_second=per_second, start=start or 0.0)
        painter = Painter(opened.video, max_side)
        opened.video.thread_type = "AUTO"
        allowed = opened.video.codec_context.thread_count
        if threads and (allowed == 0 or threads < allowed):
            opened.video.codec_context.thread_count = threads
        reader.seek(start or 0.0, opened.video)
        for packet in reader.packets(opened.video):
            for frame in sampler.wanted(reader, packet):
                if end is not None and frame[0] >= end:
                    return
                yield LazyFrame(time=frame[0], picture=frame[1], painter=painter)


class _Sampler:
    """Chooses which frames are wanted, and spares the decoder those that nobody needs."""

    def __init__(self, stream: VideoStream, *, per_second: float, start: float) -> None:
        self._stream = stream
        self._step = 1.0 / per_second
        self._due = start
        self._last = -math.inf
        rate = stream.guessed_rate or stream.average_rate
        self._nominal = 1.0 / float(rate) if rate else 0.0

    def wanted(self, reader: Reader, packet: Packet[Stream]) -> Iterator[tuple[float, VideoFrame]]:
        """The frames of this packet that are due, with their times, never going back in time."""
        self._stream.codec_context.skip_frame = (
            "NONREF" if self._is_unwanted(reader, packet) else "DEFAULT"
        )
        for frame in reader.video_frames(packet):
            time = reader.time_of(frame)
            if time is None:
                time = max(self._last, 0.0) + self._nominal
            if time <= self._last or frame.is_corrupt:
                continue
            self._last = time
            if time >= self._due - _TOLERANCE:
                self._due = (math.floor((time + _TOLERANCE) / self._step) + 1) * self._step
                yield time, frame

    def _is_unwanted(self, reader: Reader, packet: Packet[Stream]) -> bool:
        """Whether the frame is only decoded for others' sake: between two samples, or too early."""
        time = reader.time_of(packet)
        if time is None or packet.pts is None or not packet.duration:
            return False
        lasts = ticks_in_seconds(packet.duration, packet.time_base)
        after_sample = (time + _TOLERANCE) % self._step
        margin = _KEPT_INTERVALS * lasts + _TOLERANCE
        return after_sample > margin or time + margin < self._due


class Painter:
    """Turns decoded frames into upright rgb of the wanted size."""

    def __init__(self, stream: VideoStream, max_side: int) -> None:
        self._max_side = max_side
        self._reformatter = VideoReformatter()
        ratio = stream.sample_aspect_ratio
        # Pixels more than four times as wide as high do not exist; the header lies.
        self._pixel_width = float(ratio) if ratio and 0.25 <= ratio <= 4 else 1.0

    def paint(self, frame: VideoFrame) -> RgbArray:
        """Downscale in the decoder's own colour space, then turn the small picture."""
        width = frame.width * self._pixel_width
        scale = min(1.0, self._max_side / max(width, frame.height))
        small = self._reformatter.reformat(
            frame,
            width=max(1, round(width * scale)),
            height=max(1, round(frame.height * scale)),
            format="rgb24",
            interpolation=Interpolation.FAST_BILINEAR if scale > _COARSE else Interpolation.AREA,
        )
        return orientation_of(frame).apply(small.to_ndarray().astype(np.uint8, copy=False))
