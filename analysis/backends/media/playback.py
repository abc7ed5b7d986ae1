"""Makes a copy of a recording that browsers can play and seek in, where the original is not one."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from pathlib import Path

import av
from av.container import OutputContainer
from av.error import FFmpegError
from av.stream import Stream

from analysis.backends.media.decode import Reader
from analysis.backends.media.encode import (
    MAX_SIDE,
    CopiedTrack,
    OutputTrack,
    PictureTrack,
    SoundTrack,
)
from analysis.backends.media.frames import sampled_frames
from analysis.backends.media.opening import Opened, open_media
from analysis.errors import NothingDecodable
from analysis.ports import Progress
from analysis.results import MediaInfo

# What browsers agree on (caniuse.com: mpeg4, webm): H.264 in 8-bit 4:2:0 with AAC or MP3 in MP4,
# VP8 or VP9, likewise, with Opus or Vorbis in WebM. Not AV1 (caniuse.com: av1): Safari plays it on
# machines only that decode it by themselves, a Mac from M3 and a telephone from iPhone 15 Pro on.
_MP4_PICTURES, _MP4_SOUNDS = frozenset({"h264"}), frozenset({"aac", "mp3"})
_WEBM_PICTURES, _WEBM_SOUNDS = frozenset({"vp8", "vp9"}), frozenset({"opus", "vorbis"})
_EIGHT_BIT = frozenset({"yuv420p", "yuvj420p"})
_SOUND_FILES = frozenset({"mp3", "wav", "flac", "m4a", "mp4"})
_SOUND_CODECS = frozenset({"mp3", "aac", "flac", "pcm_s16le", "pcm_u8"})
# Containers whose time stamps can be copied as they are.
_COPIES_FROM = frozenset({"mov", "matroska", "flv"})
_LATE_START_SECONDS = 0.1
_CUT_SECONDS = 1.0
_WEBM_CUES = bytes.fromhex("1c53bb6b")
_HEAD_BYTES, _TAIL_BYTES = 1 << 16, 1 << 18
_PACKETS_PER_REPORT = 200
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})


@dataclass(frozen=True, slots=True)
class _Plan:
    """Into which container, and which streams are copied instead of encoded again."""

    container: str
    copies_picture: bool
    copies_sound: bool


def make_playback(path: Path, *, media: MediaInfo, folder: Path, progress: Progress) -> Path | None:
    """Write `playback.mp4` or `playback.webm`; None where browsers play the original as it is.

    What can be copied is copied; the rest is encoded with a key frame every second. Raises the
    errors of `open_media`, NothingDecodable where no copy can be made, and OSError where there is
    no room for one, which is nothing that the recording can do for.
    """
    with open_media(path) as opened:
        plan = _plan(opened, media)
        if _plays_as_it_is(opened, media, plan, path):
            return None
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Playing:
    """What browsers make of a recording: `as_it_is`, or by a copy that may be `encoded` again."""

    as_it_is: bool
    encoded: bool = False


def how_it_plays(path: Path, *, media: MediaInfo) -> Playing:
    """Whether a copy is needed, and of which kind. Raises the errors of `open_media`."""
    with open_media(path) as opened:
        plan = _plan(opened, media)
        if _plays_as_it_is(opened, media, plan, path):
            return Playing(as_it_is=True)
        return Playing(as_it_is=False, encoded=not plan.copies_picture)


def _plan(opened: Opened, media: MediaInfo) -> _Plan:
    picture = media.video.codec if media.video else None
    sound = media.audio.codec if media.audio else None
    copies = opened.demuxer in _COPIES_FROM or picture is None
    video = opened.video
    is_plain = video is not None and video.codec_context.pix_fmt in _EIGHT_BIT
    plays_in_webm = picture in _WEBM_PICTURES and is_plain
    if copies and plays_in_webm and (sound is None or sound in _WEBM_SOUNDS):
        return _Plan("webm", copies_picture=True, copies_sound=True)
    return _Plan(
        "mp4",
        copies_picture=picture is None or (copies and picture in _MP4_PICTURES and is_plain),
        copies_sound=sound is None or (copies and sound in _MP4_SOUNDS),
    )


def _plays_as_it_is(opened: Opened, media: MediaInfo, plan: _Plan, path: Path) -> bool:
    if media.video is None:
        sound = media.audio.codec if media.audio else ""
        return media.container in _SOUND_FILES and sound in _SOUND_CODECS
    if not (plan.copies_picture and plan.copies_sound):
        return False
    claimed = opened.claimed_duration
    if claimed is None or claimed - media.duration > _CUT_SECONDS:
        return False
    if opened.start > _LATE_START_SECONDS:
        return False
    if media.container == "webm":
        return _webm_has_cues(path)
    return media.container == "mp4" and _index_comes_first(path)


def _webm_has_cues(path: Path) -> bool:
    """Without its index of key frames, as browsers' recorders write it, seeking is slow."""
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
        file.seek(max(0, path.stat().st_size - _TAIL_BYTES))
        return _WEBM_CUES in head or _WEBM_CUES in file.read()


def _index_comes_first(path: Path) -> bool:
    """Whether an MP4 can start before all of it has arrived; fragmented ones do not count."""
    with path.open("rb") as file:
        position = 0
        while len(header := file.read(16)) >= 8:
            size, kind = int.from_bytes(header[:4], "big"), header[4:8]
            if kind in (b"mdat", b"moof"):
                return False
            if kind == b"moov":
                return b"mvex" not in file.read(min(size, 1 << 24))
            if size == 1:
                size = int.from_bytes(header[8:16], "big")
            if size < 8:
                return False
            position += size
            file.seek(position)
    return False


def _convert(path: Path, out: Path, plan: _Plan, media: MediaInfo, progress: Progress) -> None:
    options = {"movflags": "+faststart"} if plan.container == "mp4" else {}
    with (
        open_media(path) as opened,
        av.open(str(out), mode="w", format=plan.container, options=options) as output,
    ):
        tracks = _tracks(output, opened, plan, media, path)
        reader = Reader(opened)
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
    output: OutputContainer, opened: Opened, plan: _Plan, media: MediaInfo, path: Path
) -> dict[int, tuple[Stream, OutputTrack]]:
    tracks: dict[int, tuple[Stream, OutputTrack]] = {}
    if opened.video is not None and media.video is not None:
        picture: OutputTrack
        if plan.copies_picture:
            picture = CopiedTrack(output, opened.video, opened.start)
        else:
            picture = PictureTrack(output, opened.video, _size(path))
        tracks[opened.video.index] = (opened.video, picture)
    if opened.audio is not None and media.audio is not None:
        sound: OutputTrack
        if plan.copies_sound:
            sound = CopiedTrack(output, opened.audio, opened.start)
        else:
            sound = SoundTrack(output, opened.claimed_duration)
        tracks[opened.audio.index] = (opened.audio, sound)
    return tracks


def _size(path: Path) -> tuple[int, int]:
    """Width and height of the upright picture, scaled down to what the copy may have."""
    for frame in sampled_frames(path, per_second=1.0, max_side=MAX_SIDE):
        height, width = frame.rgb.shape[:2]
        return width, height
    raise ValueError("no picture decodes")
