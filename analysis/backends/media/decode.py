"""Decoding: reads streams packet by packet, tolerates damage and never hangs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import av
from av.audio.frame import AudioFrame
from av.error import EOFError as FFmpegEOFError
from av.error import FFmpegError
from av.packet import Packet
from av.stream import Stream
from av.video.frame import VideoFrame

from analysis.backends.media.memory import MemoryGuard
from analysis.backends.media.opening import OpenRecording

# Consecutive errors after which a stream is given up: a damaged passage of some seconds is
# tolerated, a file of noise is not. A rule of thumb.
ERRORS_IN_A_ROW = 500

_DAMAGE = (FFmpegError, ValueError, OverflowError, MemoryError)


def ticks_in_seconds(ticks: int, base: Fraction) -> float:
    """Convert clock ticks to seconds.

    The result equals `float(ticks * base)`, without building a fraction per packet and frame.
    """
    return ticks * base.numerator / base.denominator


@dataclass(slots=True)
class Damage:
    """Count of packets that could not be read or decoded."""

    packets: int = 0
    in_a_row: int = 0

    def add(self) -> None:
        """Count one damaged packet."""
        self.packets += 1
        self.in_a_row += 1

    @property
    def is_hopeless(self) -> bool:
        """Return whether nothing was decoded for so long that nothing more will be."""
        return self.in_a_row >= ERRORS_IN_A_ROW


@dataclass(slots=True)
class PacketReader:
    """Reader of packets and frames of an opened recording, in file order."""

    opened: OpenRecording
    damage: Damage = field(default_factory=Damage)
    memory: MemoryGuard = field(default_factory=MemoryGuard)

    def packets(self, *streams: Stream) -> Iterator[Packet[Stream]]:
        """Yield packets to the end of the readable part, then the empty packet that flushes a
        stream.
        """
        wanted = {stream.index for stream in streams}
        source = self.opened.container.demux(*streams)
        while not self.damage.is_hopeless:
            try:
                packet = next(source)
            except (StopIteration, FFmpegEOFError):
                return
            except _DAMAGE:
                # The demuxer's generator ends with its error; a new one continues from where the
                # last one stopped.
                self.damage.add()
                source = self.opened.container.demux(*streams)
                continue
            # At the end the binding flushes unrequested streams, too.
            if packet.stream_index in wanted:
                yield packet

    def audio_frames(self, packet: Packet[Stream]) -> list[AudioFrame]:
        """Return the audio frames of a packet; empty if it is damaged."""
        return [frame for frame in self._decode(packet) if isinstance(frame, AudioFrame)]

    def video_frames(self, packet: Packet[Stream]) -> list[VideoFrame]:
        """Return the video frames of a packet; empty if it is damaged.

        Raises MediaTooLarge if decoding takes more memory than a worker has.
        """
        self.memory.check()
        return [frame for frame in self._decode(packet) if isinstance(frame, VideoFrame)]

    def _decode(self, packet: Packet[Stream]) -> list[object]:
        try:
            frames: list[object] = list(packet.decode())
        except FFmpegEOFError:
            return []
        except _DAMAGE:
            self.damage.add()
            return []
        if frames:
            self.damage.in_a_row = 0
        return frames

    def time_of(self, item: AudioFrame | VideoFrame | Packet[Stream]) -> float | None:
        """Return the media time of a frame or packet in seconds, or None if it has none."""
        pts = item.pts if item.pts is not None else item.dts
        if pts is None or item.time_base is None:
            return None
        return ticks_in_seconds(pts, item.time_base) - self.opened.start

    def seek(self, seconds: float, stream: Stream) -> None:
        """Seek to the key frame before a media time; go back to the start if seeking fails."""
        if seconds <= 0 or stream.time_base is None:
            return
        offset = int((seconds + self.opened.start) / stream.time_base)
        try:
            self.opened.container.seek(offset, stream=stream)
        except (FFmpegError, OverflowError, ValueError):
            self.rewind()

    def rewind(self) -> None:
        """Seek to the start of the recording."""
        try:
            self.opened.container.seek(int(self.opened.start * av.time_base))
        except (FFmpegError, OverflowError, ValueError):
            self.damage.add()
