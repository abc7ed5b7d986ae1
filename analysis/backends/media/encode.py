"""Tracks of the playback copy: copied packets, or picture and sound encoded again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Protocol

import numpy as np
from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream
from av.bitstream import BitStreamFilterContext
from av.container import OutputContainer
from av.error import FFmpegError
from av.packet import Packet
from av.stream import Stream
from av.video.frame import PictureType, VideoFrame
from av.video.reformatter import VideoReformatter
from av.video.stream import VideoStream

from analysis.backends.media.audio import ContinuousAudio
from analysis.backends.media.decode import PacketReader
from analysis.backends.media.frames import Orientation, Painter, orientation_of
from analysis.ports import FloatArray

MAX_SIDE = 1280
"""Longest side in pixels: enough to see face and hands on a laptop. The original is unchanged."""
_MAX_RATE = 30.0
_CLOCK = Fraction(1, 90_000)
_X264 = {"preset": "veryfast", "crf": "25", "profile": "main", "forced-idr": "1"}
_SEI = 6
"""Type of the unit that contains supplemental information (ITU-T H.264, table 7-1)."""
_SOUND_RATE_HZ = 48_000
_SOUND_BITS_PER_SECOND = 128_000


class OutputTrack(Protocol):
    """One stream of the copy."""

    def take(self, reader: PacketReader, packet: Packet[Stream]) -> Iterator[Packet[Stream]]:
        """Yield the packets of the copy for a packet of the original."""

    def finish(self) -> Iterator[Packet[Stream]]:
        """Yield the packets still buffered."""


class CopiedTrack:
    """Track of copied packets, on a clock that begins at 0."""

    def __init__(self, output: OutputContainer, source: Stream, start: float) -> None:
        self._stream = output.add_stream_from_template(source)
        self._filter = _without_private_data(source)
        self._shift = round(start / source.time_base) if source.time_base else 0
        self._last = -math.inf
        self._undated: list[Packet[Stream]] = []

    def take(self, _reader: PacketReader, packet: Packet[Stream]) -> Iterator[Packet[Stream]]:
        """Yield the packet, unless it is damaged, has no time or would go back in time."""
        if packet.pts is None or packet.is_corrupt or not packet.size:
            return
        if packet.dts is None:
            # Matroska does not state when its first packets are to be decoded.
            self._undated.append(packet)
            return
        step = packet.duration or 1
        for place, early in enumerate(reversed(self._undated), start=1):
            early.dts = packet.dts - place * step
        for dated in (*self._undated, packet):
            yield from self._shifted(dated)
        self._undated = []

    def _shifted(self, packet: Packet[Stream]) -> Iterator[Packet[Stream]]:
        if packet.pts is None or packet.dts is None or packet.dts - self._shift <= self._last:
            return
        packet.dts -= self._shift
        packet.pts -= self._shift
        self._last = packet.dts
        for cleaned in self._filter.filter(packet) if self._filter else (packet,):
            cleaned.stream = self._stream
            yield cleaned

    def finish(self) -> Iterator[Packet[Stream]]:
        """Yield nothing, since no packet with a time is buffered. Raises ValueError if none had a
        time.
        """
        if self._undated and self._last == -math.inf:
            raise ValueError("these packets carry no times that could be copied")
        yield from ()


def _without_private_data(source: Stream) -> BitStreamFilterContext | None:
    """Return a filter that removes supplemental information (SEI); None if the stream is not H.264.
    Cameras write place and time there.
    """
    if source.codec_context.name != "h264":
        return None
    return BitStreamFilterContext(f"filter_units=remove_types={_SEI}", source)


class PictureTrack:
    """Track of upright H.264, at most MAX_SIDE pixels and 30 frames per second, with a key frame
    per second.
    """

    def __init__(self, output: OutputContainer, source: VideoStream, size: tuple[int, int]) -> None:
        self._width, self._height = (max(2, side - side % 2) for side in size)
        self._stream: VideoStream = output.add_stream("libx264", rate=30, options=_X264)
        self._stream.width, self._stream.height = self._width, self._height
        self._stream.pix_fmt = "yuv420p"
        self._stream.codec_context.time_base = _CLOCK
        self._painter = Painter(source, MAX_SIDE)
        self._reformatter = VideoReformatter()
        self._last = -math.inf
        self._second = -1
        source.thread_type = "AUTO"

    def take(self, reader: PacketReader, packet: Packet[Stream]) -> Iterator[Packet[Stream]]:
        """Decode, rotate upright and encode the packet; frames above the rate are dropped."""
        for frame in reader.video_frames(packet):
            time = reader.time_of(frame)
            # Three quarters of an interval, so that all of 30 frames per second with jitter are
            # kept.
            if time is None or time < 0 or time - self._last < 0.75 / _MAX_RATE:
                continue
            self._last = time
            yield from self._stream.encode(self._picture(frame, time))

    def _picture(self, frame: VideoFrame, time: float) -> VideoFrame:
        if orientation_of(frame) != Orientation():
            frame = VideoFrame.from_ndarray(self._painter.paint(frame), format="rgb24")
        picture = self._reformatter.reformat(
            frame, width=self._width, height=self._height, format="yuv420p"
        )
        picture.pts, picture.time_base = round(time / _CLOCK), _CLOCK
        picture.pict_type = PictureType.NONE
        if int(time) > self._second:
            self._second = int(time)
            picture.pict_type = PictureType.I
        return picture

    def finish(self) -> Iterator[Packet[Stream]]:
        """Yield the pictures left in the encoder."""
        yield from self._stream.encode(None)


class SoundTrack:
    """Track of stereo AAC, with silence for gaps of the original; from a single channel if one is
    given.
    """

    def __init__(self, output: OutputContainer, claimed: float | None, channel: int | None) -> None:
        self._stream: AudioStream = output.add_stream("aac", rate=_SOUND_RATE_HZ)
        self._stream.codec_context.layout = "stereo"
        self._stream.codec_context.bit_rate = _SOUND_BITS_PER_SECOND
        self._sound = ContinuousAudio(
            layout="stereo", rate=_SOUND_RATE_HZ, claimed=claimed, channel=channel
        )
        self._written = 0

    def take(self, reader: PacketReader, packet: Packet[Stream]) -> Iterator[Packet[Stream]]:
        """Decode, place on the timeline and encode the packet."""
        for frame in reader.audio_frames(packet):
            try:
                pieces = list(self._sound.add(frame, reader.time_of(frame)))
            except (FFmpegError, ValueError, OverflowError):
                continue
            yield from self._encode(pieces)

    def _encode(self, pieces: list[FloatArray]) -> Iterator[Packet[Stream]]:
        for piece in pieces:
            samples = np.ascontiguousarray(np.clip(piece, -1.0, 1.0))
            frame = AudioFrame.from_ndarray(samples, format="fltp", layout="stereo")
            frame.sample_rate, frame.pts = _SOUND_RATE_HZ, self._written
            frame.time_base = Fraction(1, _SOUND_RATE_HZ)
            self._written += piece.shape[1]
            yield from self._stream.encode(frame)

    def finish(self) -> Iterator[Packet[Stream]]:
        """Yield the sound left in resampler and encoder."""
        yield from self._encode(list(self._sound.finish()))
        yield from self._stream.encode(None)
