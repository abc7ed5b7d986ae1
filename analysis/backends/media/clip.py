"""Clip of a recording: one stretch of it and nothing else, encoded again without metadata.

Copied packets would begin at the key frame before the stretch, and so contain seconds that were
not shared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import av
from av.audio.frame import AudioFrame
from av.container import OutputContainer
from av.error import FFmpegError
from av.packet import Packet
from av.stream import Stream
from av.video.frame import VideoFrame

from analysis.backends.media.decode import PacketReader, ticks_in_seconds
from analysis.backends.media.encode import OutputTrack, PictureTrack, SoundTrack
from analysis.backends.media.opening import OpenRecording, open_media
from analysis.backends.media.playback import upright_size
from analysis.errors import NothingDecodable

_AHEAD_SECONDS = 1.0
"""Time before the stretch from which sound is decoded, since its packets lie next to earlier
pictures (rule of thumb)."""
_BEHIND_SECONDS = 2.0
"""Time after the stretch at which reading ends: pictures are stored out of order, and tracks apart
(rule of thumb)."""


@dataclass(slots=True, kw_only=True)
class _StretchReader(PacketReader):
    """Reader whose clock begins with the stretch, and that yields no frame outside it."""

    begins: float
    seconds: float

    def time_of(self, item: AudioFrame | VideoFrame | Packet[Stream]) -> float | None:
        time = PacketReader.time_of(self, item)
        return None if time is None else time - self.begins

    def audio_frames(self, packet: Packet[Stream]) -> list[AudioFrame]:
        return [
            frame
            for frame in PacketReader.audio_frames(self, packet)
            if self._is_inside(frame, frame.samples / (frame.sample_rate or 1))
        ]

    def video_frames(self, packet: Packet[Stream]) -> list[VideoFrame]:
        found = PacketReader.video_frames(self, packet)
        return [frame for frame in found if self._is_inside(frame, 0.0)]

    def _is_inside(self, frame: AudioFrame | VideoFrame, length: float) -> bool:
        time = self.time_of(frame)
        return time is not None and time >= 0 and time + length <= self.seconds

    def is_past(self, packet: Packet[Stream]) -> bool:
        """Return whether nothing after this packet belongs to the stretch."""
        dts = packet.dts if packet.dts is not None else packet.pts
        if dts is None or packet.time_base is None:
            return False
        at = ticks_in_seconds(dts, packet.time_base) - self.opened.start
        return at > self.begins + self.seconds + _BEHIND_SECONDS


def cut_clip(path: Path, out: Path, *, start: float, end: float) -> None:
    """Write the stretch as MP4: H.264 and AAC.

    Raises the errors of `open_media`, and NothingDecodable if nothing of it decodes.
    """
    size = _size(path)
    with (
        open_media(path) as opened,
        av.open(str(out), mode="w", format="mp4", options={"movflags": "+faststart"}) as output,
    ):
        reader = _StretchReader(opened=opened, begins=start, seconds=end - start)
        tracks = _tracks(output, opened, size)
        if not tracks:
            raise NothingDecodable("no_copy_for_playback")
        try:
            for packet in _encoded(reader, tracks):
                output.mux(packet)
        except (FFmpegError, ValueError, OverflowError) as problem:
            raise NothingDecodable("no_copy_for_playback") from problem


_Tracks = dict[int, tuple[Stream, OutputTrack]]


def _tracks(
    output: OutputContainer, opened: OpenRecording, size: tuple[int, int] | None
) -> _Tracks:
    tracks: _Tracks = {}
    if opened.video is not None and size is not None:
        tracks[opened.video.index] = (opened.video, PictureTrack(output, opened.video, size))
    if opened.audio is not None:
        tracks[opened.audio.index] = (opened.audio, SoundTrack(output, None, None))
    return tracks


def _encoded(reader: _StretchReader, tracks: _Tracks) -> Iterator[Packet[Stream]]:
    """Yield the packets of the clip: of each frame inside the stretch, and those buffered."""
    streams = [stream for stream, _track in tracks.values()]
    reader.seek(max(reader.begins - _AHEAD_SECONDS, 0.0), streams[0])
    for packet in reader.packets(*streams):
        yield from tracks[packet.stream_index][1].take(reader, packet)
        if reader.is_past(packet):
            break
    for _stream, track in tracks.values():
        yield from track.finish()


def _size(path: Path) -> tuple[int, int] | None:
    """Return the size of the picture, or None if there is none."""
    with open_media(path) as opened:
        if opened.video is None:
            return None
    try:
        return upright_size(path)
    except ValueError:
        return None
