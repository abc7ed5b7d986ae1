"""Decodes one stream packet by packet, past damage, without hanging or giving up on the rest."""

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
from analysis.backends.media.opening import Opened

# Tolerated in a row before a stream is given up: a damaged stretch of some seconds, not a file of
# noise. A rule of thumb.
ERRORS_IN_A_ROW = 500

_DAMAGE = (FFmpegError, ValueError, OverflowError, MemoryError)


def ticks_in_seconds(ticks: int, base: Fraction) -> float:
    """So many ticks of a clock in seconds.

    The same number as `float(ticks * base)`, without making a fraction for each packet and frame.
    """
    return ticks * base.numerator / base.denominator


@dataclass(slots=True)
class Damage:
    """How many packets could not be read or decoded."""

    packets: int = 0
    in_a_row: int = 0

    def add(self) -> None:
        """Count one damaged packet."""
        self.packets += 1
        self.in_a_row += 1

    @property
    def is_hopeless(self) -> bool:
        """Whether nothing has come out for so long that nothing will."""
        return self.in_a_row >= ERRORS_IN_A_ROW


@dataclass(slots=True)
class Reader:
    """Packets and frames of some streams of an opened recording, in file order."""

    opened: Opened
    damage: Damage = field(default_factory=Damage)
    memory: MemoryGuard = field(default_factory=MemoryGuard)

    def packets(self, *streams: Stream) -> Iterator[Packet[Stream]]:
        """Packets to the end of what can be read, then the empty one that flushes a stream."""
        wanted = {stream.index for stream in streams}
        source = self.opened.container.demux(*streams)
        while not self.damage.is_hopeless:
            try:
                packet = next(source)
            except (StopIteration, FFmpegEOFError):
                return
            except _DAMAGE:
                # The demuxer's generator ends with its error: what is left of the file goes on in
                # a new one, from where the last one stopped.
                self.damage.add()
                source = self.opened.container.demux(*streams)
                continue
            # At the end the binding flushes streams that nobody asked for, too.
            if packet.stream_index in wanted:
                yield packet

    def audio_frames(self, packet: Packet[Stream]) -> list[AudioFrame]:
        """What one packet of sound decodes to; nothing where it is damaged."""
        return [frame for frame in self._decode(packet) if isinstance(frame, AudioFrame)]

    def video_frames(self, packet: Packet[Stream]) -> list[VideoFrame]:
        """What one packet of picture decodes to; nothing where it is damaged.

        Raises MediaTooLarge where that takes more memory than a worker has.
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
        """Media time of a frame or packet in seconds, or None where it carries none."""
        pts = item.pts if item.pts is not None else item.dts
        if pts is None or item.time_base is None:
            return None
        return ticks_in_seconds(pts, item.time_base) - self.opened.start

    def seek(self, seconds: float, stream: Stream) -> None:
        """Move to the key frame before a media time; stays at the start where that fails."""
        if seconds <= 0 or stream.time_base is None:
            return
        offset = int((seconds + self.opened.start) / stream.time_base)
        try:
            self.opened.container.seek(offset, stream=stream)
        except (FFmpegError, OverflowError, ValueError):
            self.rewind()

    def rewind(self) -> None:
        """Go back to the start of the recording."""
        try:
            self.opened.container.seek(int(self.opened.start * av.time_base))
        except (FFmpegError, OverflowError, ValueError):
            self.damage.add()
