"""Opening of a recording: one demuxer, chosen by content, and no access to other files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import av
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.error import FFmpegError
from av.stream import Disposition, Stream
from av.video.stream import VideoStream

from analysis.backends.media.boxes import lacks_its_index
from analysis.backends.media.memory import threads_for
from analysis.backends.media.sniff import demuxer_for
from analysis.errors import MediaMissing, MediaUnreadable

# QuickTime can name other files as the source of its samples: both ways are closed. Each track
# costs a megabyte before it can be inspected; broadcasts have dozens, phones six.
_SHUT = {"protocol_whitelist": "file", "max_streams": "100"}
_SHUT_BY_DEMUXER = {"mov": {"enable_drefs": "0", "use_absolute_path": "0"}}

# These demuxers only estimate the length from the bit rate if no header states it.
_GUESSED_LENGTH = frozenset({"aac", "amr", "mp3", "mpeg", "mpegts", "mpegvideo"})

# A picture that grows midway is rejected by the decoder above this: twice the pixels of 8K.
_MAX_PIXELS = 8192 * 8192

_STILL = Disposition.attached_pic | Disposition.timed_thumbnails


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRecording:
    """Open recording with its decodable streams and the start of its clock.

    `undecodable` lists the kinds of stream ("audio", "video") for which there is no decoder.
    """

    container: InputContainer
    demuxer: str
    sounds: tuple[AudioStream, ...]
    audio: AudioStream | None
    """The stream of `sounds` that is analysed."""
    video: VideoStream | None
    start: float
    claimed_duration: float | None
    undecodable: tuple[str, ...]

    @property
    def claim_is_stated(self) -> bool:
        """Return whether a header states the length; some formats only allow an estimate."""
        return self.claimed_duration is not None and self.demuxer not in _GUESSED_LENGTH


@contextmanager
def open_media(path: Path, *, track: int | None = None) -> Iterator[OpenRecording]:
    """Open a recording by its content, with the sound of this track or of the players' default.

    Raises MediaMissing, MediaEmpty, MediaRefused or MediaUnreadable.
    """
    demuxer = demuxer_for(path)
    av.logging.set_level(None)
    with _container(path, demuxer) as container:
        start = _start_of(container)
        sounds = tuple(stream for stream in container.streams.audio if _has_decoder(stream))
        yield OpenRecording(
            container=container,
            demuxer=demuxer,
            sounds=sounds,
            audio=_chosen_audio(container, sounds, track),
            video=_best_video(container),
            start=start,
            claimed_duration=_claimed_duration(container),
            undecodable=tuple(_undecodable(container)),
        )


def _container(path: Path, demuxer: str) -> InputContainer:
    options = {**_SHUT, **_SHUT_BY_DEMUXER.get(demuxer, {})}
    try:
        # "file:" prevents a name such as "concat:a" or "http://..." from being read as a protocol.
        return av.open(
            f"file:{os.path.abspath(path)}",  # noqa: PTH100 - resolve() would follow links
            mode="r",
            format=demuxer,
            container_options=options,
            metadata_errors="replace",
        )
    except FileNotFoundError as error:
        raise MediaMissing("no_such_file") from error
    except (FFmpegError, OSError, ValueError, OverflowError, MemoryError) as error:
        is_cut = demuxer == "mov" and lacks_its_index(path)
        raise MediaUnreadable("index_missing" if is_cut else "file_damaged") from error


def _start_of(container: InputContainer) -> float:
    """Return the container time of media time 0 in seconds, as players show it.

    Broadcast streams begin anywhere. A slightly negative start is encoder delay, which is cut.
    """
    stated: int | None = container.start_time
    start = (stated or 0) / av.time_base
    return start if start > 0 or start < -1 else 0.0


def _claimed_duration(container: InputContainer) -> float | None:
    if not container.duration or container.duration < 0:
        return None
    return float(container.duration / av.time_base)


def _has_decoder(stream: Stream) -> bool:
    # The binding's types promise a context; streams of unknown codecs have none.
    context: object = stream.codec_context
    return context is not None


def _chosen_audio(
    container: InputContainer, sounds: Sequence[AudioStream], track: int | None
) -> AudioStream | None:
    tracks = container.streams.audio
    if track is not None and track < len(tracks) and tracks[track] in sounds:
        return tracks[track]
    best = container.streams.best("audio")
    if isinstance(best, AudioStream) and best in sounds:
        return best
    return sounds[0] if sounds else None


def _best_video(container: InputContainer) -> VideoStream | None:
    """Return the moving picture that players show, never a cover picture; None if there is none."""
    moving = [
        stream
        for stream in container.streams.video
        if _has_decoder(stream) and not stream.disposition & _STILL
    ]
    best = container.streams.best("video")
    chosen = next((stream for stream in moving if stream is best), moving[0] if moving else None)
    if chosen is not None:
        chosen.codec_context.options = {"max_pixels": str(_MAX_PIXELS)}
        chosen.codec_context.thread_count = threads_for(chosen.width * chosen.height)
    return chosen


def _undecodable(container: InputContainer) -> Iterator[str]:
    for stream in (*container.streams.audio, *container.streams.video):
        if not _has_decoder(stream):
            yield stream.type
