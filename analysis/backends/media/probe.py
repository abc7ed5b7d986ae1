"""Probing: reads a recording once, writes its sound and describes streams, length and damage."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from av.packet import Packet
from av.stream import Stream

from analysis.backends.media.audio import AudioWriter
from analysis.backends.media.boxes import lacks_its_index
from analysis.backends.media.clock import PictureClock
from analysis.backends.media.decode import Damage, PacketReader
from analysis.backends.media.frames import Orientation, orientation_of
from analysis.backends.media.opening import OpenRecording, open_media
from analysis.backends.media.sniff import container_name
from analysis.backends.media.tracks import SoundSource, select_source
from analysis.errors import (
    AnalysisError,
    MediaEncrypted,
    MediaMissing,
    MediaTooLarge,
    MediaTooLong,
    MediaUnreadable,
    NothingDecodable,
)
from analysis.ports import Limits, Progress
from analysis.results import AudioInfo, MediaInfo, Note, VideoInfo

_HASH_BYTES = 1 << 20
# A file that ends this much before its claimed length was cut off; less is rounding and padding.
_CUT_SECONDS, _CUT_SHARE = 1.0, 0.02
# Most packets tried to find out whether a stream decodes at all.
_PACKETS_TO_LOOK_AT = 600
_PACKETS_PER_REPORT = 200
# Pictures past the limit after which they are no longer damaged time stamps.
_BEYOND_LIMIT = 10


@dataclass(frozen=True, slots=True)
class _FirstPicture:
    """First picture that decodes: its stored size and its orientation."""

    width: int
    height: int
    orientation: Orientation


@dataclass(slots=True)
class _ProbeResult:
    """Results of reading the file so far."""

    damage: Damage
    clock: PictureClock = field(default_factory=PictureClock)
    picture: _FirstPicture | None = None
    heard: bool = False
    audio_start: float | None = None
    audio_seconds: float = 0.0
    encrypted: set[str] = field(default_factory=set)


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, read in blocks. Raises MediaMissing if it cannot be read."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while piece := file.read(_HASH_BYTES):
                digest.update(piece)
    except OSError as error:
        raise MediaMissing("file_unreadable") from error
    return digest.hexdigest()


def read_media(path: Path, *, audio_path: Path, limits: Limits, progress: Progress) -> MediaInfo:
    """Return a description of the file and write its sound, if any, to `audio_path`.

    Raises an AnalysisError if the file cannot be read or exceeds a limit.
    """
    _refuse_large_file(path, limits)
    with open_media(path) as opened:
        _refuse_declared_excess(opened, limits)
    source = select_source(path)
    with open_media(path, track=source.track) as opened:
        found = _read(opened, audio_path, limits, progress, source.channel)
    if "video" not in found.encrypted:
        found.picture = _first_picture(path)
    with open_media(path, track=source.track) as opened:
        info = _describe(opened, found, path, source)
    if info.audio is None:
        audio_path.unlink(missing_ok=True)
    if info.audio is None and info.video is None:
        raise _decoding_error(found, path)
    return info


def _refuse_large_file(path: Path, limits: Limits) -> None:
    try:
        size = path.stat().st_size
    except (OSError, ValueError) as error:
        raise MediaMissing("no_such_file") from error
    if size > limits.max_bytes:
        raise MediaTooLarge("file_too_large", size=size / 1e9, allowed=limits.max_bytes / 1e9)


def _refuse_declared_excess(opened: OpenRecording, limits: Limits) -> None:
    video = opened.video
    if video is not None and video.width * video.height > limits.max_pixels:
        raise MediaTooLarge("picture_too_large", width=video.width, height=video.height)
    claimed = opened.claimed_duration
    if claimed is not None and claimed > limits.max_seconds and _exceeds_limit(opened, limits):
        raise MediaTooLong("claims_longer_than", claimed=claimed, allowed=limits.max_seconds)


def _exceeds_limit(opened: OpenRecording, limits: Limits) -> bool:
    """Return whether there are packets at the limit; headers may be wrong and files cut off."""
    stream = opened.video or opened.audio
    if stream is None:
        return False
    reader = PacketReader(opened)
    reader.seek(limits.max_seconds, stream)
    packets = islice(reader.packets(stream), _PACKETS_TO_LOOK_AT)
    times = [time for packet in packets if (time := reader.time_of(packet)) is not None]
    reader.rewind()
    return any(time >= limits.max_seconds for time in times)


def _read(
    opened: OpenRecording, audio_path: Path, limits: Limits, progress: Progress, channel: int | None
) -> _ProbeResult:
    reader = PacketReader(opened)
    found = _ProbeResult(damage=reader.damage)
    streams = [stream for stream in (opened.audio, opened.video) if stream is not None]
    if not streams:
        return found
    with audio_path.open("wb") as file:
        writer = AudioWriter(
            file,
            claimed=opened.claimed_duration,
            max_seconds=limits.max_seconds,
            channel=channel,
        )
        for count, packet in enumerate(reader.packets(*streams)):
            if count % _PACKETS_PER_REPORT == 0:
                progress(_progress_share(opened, found))
            if packet.has_sidedata("encryption_info"):
                found.encrypted.add(packet.stream.type)
            elif packet.stream.type == "video":
                _note_picture(reader, packet, found, limits)
            else:
                _decode_sound(reader, packet, writer, found)
        writer.finish()
    found.audio_seconds, found.heard = writer.seconds, writer.heard
    return found


def _progress_share(opened: OpenRecording, found: _ProbeResult) -> float:
    claimed = opened.claimed_duration
    return min(1.0, max(found.audio_seconds, found.clock.end) / claimed) if claimed else 0.0


def _note_picture(
    reader: PacketReader, packet: Packet[Stream], found: _ProbeResult, limits: Limits
) -> None:
    time = reader.time_of(packet)
    if time is None or packet.is_corrupt or packet.is_discard or not packet.size:
        return
    duration = float((packet.duration or 0) * packet.time_base)
    found.clock.add(time, max(0.0, duration), limit=limits.max_seconds)
    if found.clock.beyond > _BEYOND_LIMIT:
        raise MediaTooLong("longer_than", allowed=limits.max_seconds)


def _decode_sound(
    reader: PacketReader, packet: Packet[Stream], writer: AudioWriter, found: _ProbeResult
) -> None:
    for frame in reader.audio_frames(packet):
        time = reader.time_of(frame)
        if not writer.add(frame, time):
            reader.damage.add()
        elif found.audio_start is None:
            found.audio_start = max(0.0, time or 0.0)
    found.audio_seconds = writer.seconds


def _first_picture(path: Path) -> _FirstPicture | None:
    """Return the first picture that decodes, or None."""
    with open_media(path) as opened:
        if opened.video is None:
            return None
        reader = PacketReader(opened)
        for packet in islice(reader.packets(opened.video), _PACKETS_TO_LOOK_AT):
            for frame in reader.video_frames(packet):
                if not frame.is_corrupt and frame.width > 0 and frame.height > 0:
                    return _FirstPicture(frame.width, frame.height, orientation_of(frame))
    return None


def _describe(
    opened: OpenRecording, found: _ProbeResult, path: Path, source: SoundSource
) -> MediaInfo:
    audio, video = _audio_info(opened, found, source), _video_info(opened, found)
    duration = max(found.audio_seconds if audio else 0.0, found.clock.end if video else 0.0)
    claimed = opened.claimed_duration
    return MediaInfo(
        sha256=sha256_of(path),
        duration=round(duration, 3),
        container=container_name(path, opened.demuxer),
        audio=audio,
        video=video,
        claimed_duration=None if claimed is None else round(claimed, 3),
        notes=(*_sound_choice_notes(audio), *_notes(opened, found, duration)),
    )


def _audio_info(
    opened: OpenRecording, found: _ProbeResult, source: SoundSource
) -> AudioInfo | None:
    stream = opened.audio
    if stream is None or not found.heard:
        return None
    return AudioInfo(
        codec=stream.codec_context.codec.canonical_name,
        sample_rate_hz=stream.rate or 0,
        channels=stream.channels or 0,
        track=list(opened.container.streams.audio).index(stream),
        tracks=len(opened.sounds),
        channel=source.channel,
        start=round(found.audio_start or 0.0, 3),
        duration=round(found.audio_seconds, 3),
    )


def _video_info(opened: OpenRecording, found: _ProbeResult) -> VideoInfo | None:
    stream, picture = opened.video, found.picture
    if stream is None or picture is None:
        return None
    turned = picture.orientation.swap
    return VideoInfo(
        width=picture.height if turned else picture.width,
        height=picture.width if turned else picture.height,
        fps=found.clock.steady_rate((stream.average_rate, stream.guessed_rate)),
        rotation=picture.orientation.rotation,
        codec=stream.codec_context.codec.canonical_name,
        start=round(found.clock.start, 3),
    )


def _sound_choice_notes(audio: AudioInfo | None) -> Iterator[Note]:
    """Yield notes on which sound was analysed, if there were several."""
    if audio is None:
        return
    if audio.tracks > 1 and audio.track is not None:
        yield Note.of("sound_track_chosen", track=audio.track + 1, tracks=audio.tracks)
    if audio.channel is not None:
        yield Note.of("sound_channel_chosen", channel=audio.channel + 1, channels=audio.channels)


def _notes(opened: OpenRecording, found: _ProbeResult, duration: float) -> Iterator[Note]:
    for kind, name, stream, is_there in (
        ("audio", "sound", opened.audio, found.heard),
        ("video", "picture", opened.video, found.picture is not None),
    ):
        if kind in found.encrypted:
            yield Note.of(f"{name}_encrypted")
        # Players ignore an additional track that cannot be decoded, and so do we.
        elif not is_there and (stream is not None or kind in opened.undecodable):
            yield Note.of(f"{name}_undecodable")
    yield from _shortfall(opened, duration)
    if found.damage.packets:
        yield Note.of("pieces_damaged", pieces=found.damage.packets)


def _shortfall(opened: OpenRecording, duration: float) -> Iterator[Note]:
    claimed = opened.claimed_duration
    if not opened.claim_is_stated or claimed is None or duration <= 0:
        return
    # Some recorders start their clock long before the video, and state its end on that clock.
    ends = duration + max(0.0, opened.start)
    if claimed - ends > max(_CUT_SECONDS, _CUT_SHARE * claimed):
        yield Note.of("file_cut_off", claimed=claimed, read=duration)


def _decoding_error(found: _ProbeResult, path: Path) -> AnalysisError:
    if found.encrypted:
        return MediaEncrypted("recording_encrypted")
    if lacks_its_index(path):
        return MediaUnreadable("index_missing")
    return NothingDecodable("nothing_decodable")
