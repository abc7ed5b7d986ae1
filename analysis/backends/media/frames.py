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
from PIL import Image

from analysis.backends.media.decode import Reader, ticks_in_seconds
from analysis.backends.media.opening import open_media

RgbArray = NDArray[np.uint8]
LumaArray = NDArray[np.uint8]

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

    def look(self) -> Frame:
        """Itself: nothing is left to be made of it."""
        return self

    def luma(self, width: int, *, least_height: int) -> LumaArray:
        """A small luma picture, so wide and at least so high."""
        high, wide = self.rgb.shape[:2]
        size = (width, max(least_height, round(high * width / wide)))
        gray = Image.fromarray(self.rgb).convert("L")
        return np.asarray(gray.resize(size, Image.Resampling.BOX))


@dataclass(frozen=True, slots=True, kw_only=True)
class LazyFrame:
    """A decoded picture that costs little until somebody looks at it."""

    time: float
    picture: VideoFrame
    painter: Painter

    def look(self) -> Frame:
        """The picture itself."""
        return Frame(time=self.time, rgb=self.painter.paint(self.picture))

    def luma(self, width: int, *, least_height: int) -> LumaArray:
        """A small luma picture, so wide and at least so high, made without its colours."""
        return self.painter.luma(self.picture, width, least_height)


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

    def apply(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The upright picture, (height, width) or (height, width, 3), in memory order."""
        if self.swap:
            pixels = pixels.swapaxes(0, 1)
        if self.flip_x:
            pixels = pixels[:, ::-1]
        if self.flip_y:
            pixels = pixels[::-1]
        return np.ascontiguousarray(pixels)


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
        # One for each: it prepares itself anew whenever it is asked for something else.
        self._reformatters = {pixels: VideoReformatter() for pixels in ("rgb24", "gray")}
        ratio = stream.sample_aspect_ratio
        # Pixels more than four times as wide as high do not exist; the header lies.
        self._pixel_width = float(ratio) if ratio and 0.25 <= ratio <= 4 else 1.0

    def paint(self, frame: VideoFrame) -> RgbArray:
        """Downscale in the decoder's own colour space, then turn the small picture."""
        width = frame.width * self._pixel_width
        scale = min(1.0, self._max_side / max(width, frame.height))
        size = (max(1, round(width * scale)), max(1, round(frame.height * scale)))
        interpolation = Interpolation.FAST_BILINEAR if scale > _COARSE else Interpolation.AREA
        return self._scaled(frame, size, "rgb24", interpolation)

    def luma(self, frame: VideoFrame, width: int, least_height: int) -> LumaArray:
        """The decoder's own luma, downscaled to that width and turned."""
        wide, high = frame.width * self._pixel_width, float(frame.height)
        is_swapped = orientation_of(frame).swap
        height = max(least_height, round(width * (wide / high if is_swapped else high / wide)))
        size = (height, width) if is_swapped else (width, height)
        return self._scaled(frame, size, "gray", Interpolation.AREA)

    def _scaled(
        self,
        frame: VideoFrame,
        size: tuple[int, int],
        pixels: str,
        interpolation: Interpolation,
    ) -> NDArray[np.uint8]:
        small = self._reformatters[pixels].reformat(
            frame, width=size[0], height=size[1], format=pixels, interpolation=interpolation
        )
        return orientation_of(frame).apply(small.to_ndarray().astype(np.uint8, copy=False))
