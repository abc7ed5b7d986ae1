"""Frame sampling: upright, downscaled pictures at a steady rate of presentation time."""

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

from analysis.backends.media.decode import PacketReader, ticks_in_seconds
from analysis.backends.media.opening import open_media

RgbArray = NDArray[np.uint8]
LumaArray = NDArray[np.uint8]

_TOLERANCE = 0.001
# A frame within this many frame intervals after a sampling time may be the first one there.
_KEPT_INTERVALS = 1.5
# Below half the size, two neighbouring pixels no longer cover the pixels between them.
_COARSE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One picture: media time in seconds, and upright rgb (height, width, 3) with square pixels.

    It always shows the whole picture, at any size.
    """

    time: float
    rgb: RgbArray

    def look(self) -> Frame:
        """Return the frame itself; it is already converted."""
        return self

    def luma(self, width: int, *, least_height: int) -> LumaArray:
        """Return a small luma picture of this width and at least this height."""
        high, wide = self.rgb.shape[:2]
        size = (width, max(least_height, round(high * width / wide)))
        gray = Image.fromarray(self.rgb).convert("L")
        return np.asarray(gray.resize(size, Image.Resampling.BOX))


@dataclass(frozen=True, slots=True, kw_only=True)
class LazyFrame:
    """Decoded picture that is converted only when needed."""

    time: float
    picture: VideoFrame
    painter: Painter

    def look(self) -> Frame:
        """Return the picture converted to upright rgb."""
        return Frame(time=self.time, rgb=self.painter.paint(self.picture))

    def luma(self, width: int, *, least_height: int) -> LumaArray:
        """Return a small luma picture of this width and at least this height, without converting
        colours.
        """
        return self.painter.luma(self.picture, width, least_height)


@dataclass(frozen=True, slots=True)
class Orientation:
    """Steps that make a stored picture upright: swap the axes first, then flip."""

    swap: bool = False
    flip_x: bool = False
    flip_y: bool = False

    @property
    def rotation(self) -> int:
        """Return the clockwise rotation in degrees that players apply, mirroring ignored."""
        if self.swap:
            return 270 if self.flip_y else 90
        return 180 if self.flip_y else 0

    def apply(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the upright picture as a contiguous array, (height, width)
        or (height, width, 3).
        """
        if self.swap:
            pixels = pixels.swapaxes(0, 1)
        if self.flip_x:
            pixels = pixels[:, ::-1]
        if self.flip_y:
            pixels = pixels[::-1]
        return np.ascontiguousarray(pixels)


def orientation_of(frame: VideoFrame) -> Orientation:
    """Return the orientation from the display matrix that phones write, rounded
    to a quarter turn.
    """
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
    """Yield frames at `per_second` of presentation time, with `start <= time < end`.

    Yields nothing for a recording without a picture. Only one frame is in memory at a time. Damaged
    frames are skipped. Raises the errors of `open_media`.
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
    """Yield the same frames as `sampled_frames`, not yet converted.

    `threads` is the most threads for decoding; 0 leaves the number to the decoder.
    """
    with open_media(path) as opened:
        if opened.video is None:
            return
        reader = PacketReader(opened)
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
    """Sampler that picks the frames that are due and lets the decoder skip the others."""

    def __init__(self, stream: VideoStream, *, per_second: float, start: float) -> None:
        self._stream = stream
        self._step = 1.0 / per_second
        self._due = start
        self._last = -math.inf
        rate = stream.guessed_rate or stream.average_rate
        self._nominal = 1.0 / float(rate) if rate else 0.0

    def wanted(
        self, reader: PacketReader, packet: Packet[Stream]
    ) -> Iterator[tuple[float, VideoFrame]]:
        """Yield the frames of this packet that are due, with their times; times never decrease."""
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

    def _is_unwanted(self, reader: PacketReader, packet: Packet[Stream]) -> bool:
        """Return whether the frame is needed only as a reference: between two samples, or too
        early.
        """
        time = reader.time_of(packet)
        if time is None or packet.pts is None or not packet.duration:
            return False
        lasts = ticks_in_seconds(packet.duration, packet.time_base)
        after_sample = (time + _TOLERANCE) % self._step
        margin = _KEPT_INTERVALS * lasts + _TOLERANCE
        return after_sample > margin or time + margin < self._due


class Painter:
    """Converter of decoded frames to upright rgb of the wanted size."""

    def __init__(self, stream: VideoStream, max_side: int) -> None:
        self._max_side = max_side
        # One per pixel format, since a reformatter is set up again for each change.
        self._reformatters = {pixels: VideoReformatter() for pixels in ("rgb24", "gray")}
        ratio = stream.sample_aspect_ratio
        # Pixels more than four times as wide as high do not exist; the header is wrong.
        self._pixel_width = float(ratio) if ratio and 0.25 <= ratio <= 4 else 1.0

    def paint(self, frame: VideoFrame) -> RgbArray:
        """Return upright rgb, downscaled in the decoder's own colour space first."""
        width = frame.width * self._pixel_width
        scale = min(1.0, self._max_side / max(width, frame.height))
        size = (max(1, round(width * scale)), max(1, round(frame.height * scale)))
        interpolation = Interpolation.FAST_BILINEAR if scale > _COARSE else Interpolation.AREA
        return self._scaled(frame, size, "rgb24", interpolation)

    def luma(self, frame: VideoFrame, width: int, least_height: int) -> LumaArray:
        """Return the decoder's luma, downscaled to this width and upright."""
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
