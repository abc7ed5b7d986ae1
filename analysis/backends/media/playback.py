"""Playback copy of a recording: formats that browsers play, without metadata.

Everybody but the owner gets this copy. It contains only the picture and sound that people see and
hear: no tags, chapters, covers, data tracks or private data of the encoder.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass
from pathlib import Path

import av
from av.container import OutputContainer
from av.error import FFmpegError
from av.stream import Stream

from analysis.backends.media.decode import PacketReader
from analysis.backends.media.encode import (
    MAX_SIDE,
    CopiedTrack,
    OutputTrack,
    PictureTrack,
    SoundTrack,
)
from analysis.backends.media.frames import sampled_frames
from analysis.backends.media.opening import OpenRecording, open_media
from analysis.errors import NothingDecodable
from analysis.ports import Progress
from analysis.results import MediaInfo

# Formats that all browsers play (caniuse.com: mpeg4, webm): H.264 in 8-bit 4:2:0 with AAC or MP3 in
# MP4; VP8 or VP9, likewise, with Opus or Vorbis in WebM. AV1 is left out (caniuse.com: av1): Safari
# plays it only with a hardware decoder, from Mac M3 and iPhone 15 Pro on. Vorbis is left out
# because its comments are in the header, which a copied track keeps.
_MP4_PICTURES, _MP4_SOUNDS = frozenset({"h264"}), frozenset({"aac", "mp3"})
_WEBM_PICTURES, _WEBM_SOUNDS = frozenset({"vp8", "vp9"}), frozenset({"opus"})
_EIGHT_BIT = frozenset({"yuv420p", "yuvj420p"})
# Containers whose time stamps can be copied unchanged.
_COPIES_FROM = frozenset({"mov", "matroska", "flv"})
_PACKETS_PER_REPORT = 200
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})


@dataclass(frozen=True, slots=True)
class _Plan:
    """Container of the copy, and which streams are copied instead of encoded."""

    container: str
    copies_picture: bool
    copies_sound: bool


def make_playback(path: Path, *, media: MediaInfo, folder: Path, progress: Progress) -> Path:
    """Write `playback.mp4` or `playback.webm` and return its path.

    Streams that browsers play are copied; others are encoded with a key frame every second. Raises
    the errors of `open_media`, NothingDecodable if no copy can be made, and OSError if the disk is
    full, which is no fault of the recording.
    """
    with open_media(path, track=_track(media)) as opened:
        plan = _plan(opened, media)
    for attempt in (plan, _Plan("mp4", copies_picture=False, copies_sound=False)):
        out = folder / f"playback.{attempt.container}"
        partial = out.with_suffix(f".part.{attempt.container}")
        try:
            _convert(path, partial, attempt, media, progress)
            partial.replace(out)
        except (FFmpegError, ValueError, OverflowError) as problem:
            if isinstance(problem, OSError) and problem.errno in _NO_ROOM:
                raise
        else:
            return out
        finally:
            partial.unlink(missing_ok=True)
    raise NothingDecodable("no_copy_for_playback")


def encodes_picture(path: Path, *, media: MediaInfo) -> bool:
    """Return whether the copy's picture has to be encoded. Raises the errors of `open_media`."""
    with open_media(path, track=_track(media)) as opened:
        return not _plan(opened, media).copies_picture


def _track(media: MediaInfo) -> int | None:
    return media.audio.track if media.audio else None


def _is_whole(media: MediaInfo) -> bool:
    """Return whether all channels of the sound were analysed, so that all may be played."""
    return media.audio is None or media.audio.channel is None


def _plan(opened: OpenRecording, media: MediaInfo) -> _Plan:
    picture = media.video.codec if media.video else None
    sound = media.audio.codec if media.audio else None
    copies = opened.demuxer in _COPIES_FROM or picture is None
    video = opened.video
    is_plain = video is not None and video.codec_context.pix_fmt in _EIGHT_BIT
    plays_in_webm = picture in _WEBM_PICTURES and is_plain
    if copies and plays_in_webm and _is_whole(media) and sound in (None, *_WEBM_SOUNDS):
        return _Plan("webm", copies_picture=True, copies_sound=True)
    return _Plan(
        "mp4",
        copies_picture=picture is None or (copies and picture in _MP4_PICTURES and is_plain),
        copies_sound=sound is None or (copies and _is_whole(media) and sound in _MP4_SOUNDS),
    )


def _convert(path: Path, out: Path, plan: _Plan, media: MediaInfo, progress: Progress) -> None:
    options = {"movflags": "+faststart"} if plan.container == "mp4" else {}
    with (
        open_media(path, track=_track(media)) as opened,
        av.open(str(out), mode="w", format=plan.container, options=options) as output,
    ):
        tracks = _tracks(output, opened, plan, media, path)
        reader = PacketReader(opened)
        packets = reader.packets(*(stream for stream, _ in tracks.values()))
        for count, packet in enumerate(packets):
            for copied in tracks[packet.stream_index][1].take(reader, packet):
                output.mux(copied)
            time = reader.time_of(packet) if count % _PACKETS_PER_REPORT == 0 else None
            if time is not None and media.duration > 0:
                progress(min(1.0, max(0.0, time / media.duration)))
        for _, track in tracks.values():
            for held in track.finish():
                output.mux(held)


def _tracks(
    output: OutputContainer, opened: OpenRecording, plan: _Plan, media: MediaInfo, path: Path
) -> dict[int, tuple[Stream, OutputTrack]]:
    tracks: dict[int, tuple[Stream, OutputTrack]] = {}
    if opened.video is not None and media.video is not None:
        picture: OutputTrack
        if plan.copies_picture:
            picture = CopiedTrack(output, opened.video, opened.start)
        else:
            picture = PictureTrack(output, opened.video, upright_size(path))
        tracks[opened.video.index] = (opened.video, picture)
    if opened.audio is not None and media.audio is not None:
        sound: OutputTrack
        if plan.copies_sound:
            sound = CopiedTrack(output, opened.audio, opened.start)
        else:
            sound = SoundTrack(output, opened.claimed_duration, media.audio.channel)
        tracks[opened.audio.index] = (opened.audio, sound)
    return tracks


def upright_size(path: Path) -> tuple[int, int]:
    """Return width and height of the upright picture, scaled down to the limit of the copy. Raises
    ValueError if no picture decodes.
    """
    for frame in sampled_frames(path, per_second=1.0, max_side=MAX_SIDE):
        height, width = frame.rgb.shape[:2]
        return width, height
    raise ValueError("no picture decodes")
