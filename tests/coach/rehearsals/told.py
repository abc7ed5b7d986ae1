"""Recordings that tell where, with what and by whom, and what leaves of them."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np

from coach.rehearsals.undescribed.kinds import changes_of
from coach.rehearsals.undescribed.laying import laid

PLACE, DEVICE, PERSON = b"+48.8566+002.3522", b"Pocket 7", b"Ana Silva"
IN_TWO_BYTES = tuple(each.decode().encode("utf-16-le") for each in (PLACE, DEVICE, PERSON))
TOLD = (PLACE, DEVICE, PERSON, *IN_TWO_BYTES, b"LOCATION")
KEYS = {"title": PERSON, "artist": PERSON, "location": PLACE, "comment": DEVICE}


def recording(
    path: Path,
    *,
    container: str,
    sound: str,
    picture: str = "",
    options: dict[str, str] | None = None,
    more: str = "",
) -> bytes:
    """A second of a tone, with grey pictures or none, that says where, with what, by whom."""
    layout = "stereo" if sound == "vorbis" else "mono"
    with av.open(str(path), "w", format=container, options=options or {}) as out:
        heard = out.add_stream(sound, 48_000, {"strict": "-2"}, layout=layout)
        for metadata in (out.metadata, heard.metadata):
            metadata.update({key: value.decode() + more for key, value in KEYS.items()})
        if picture:
            seen = out.add_stream(picture, rate=10)
            seen.width, seen.height, seen.pix_fmt = 64, 48, "yuv420p"
            seen.metadata["title"] = PERSON.decode()
        out.start_encoding()
        for stream in out.streams:
            frames: Iterator[Any] = tone(heard) if stream is heard else pictures()
            packets = [packet for frame in (*frames, None) for packet in stream.encode(frame)]
            out.mux([packet for packet in packets if packet.size])
    return path.read_bytes()


def pictures() -> Iterator[av.VideoFrame]:
    for n in range(10):
        shade = np.full((48, 64, 3), n * 20, np.uint8)
        yield av.VideoFrame.from_ndarray(shade, format="rgb24")


def tone(heard: av.AudioStream) -> Iterator[av.AudioFrame]:
    samples = (np.sin(np.arange(48_000) / 30) * 9_000).astype(np.int16)[None]
    frame = av.AudioFrame.from_ndarray(samples, format="s16", layout="mono")
    frame.sample_rate = 48_000
    resampler = av.AudioResampler(
        heard.format.name, heard.layout.name, 48_000, heard.frame_size or 1024
    )
    yield from resampler.resample(frame)
    yield from resampler.resample(None)


KINDS: dict[str, dict[str, Any]] = {
    "mkv": {"container": "matroska", "sound": "pcm_s16le", "picture": "libx264"},
    "webm": {"container": "webm", "sound": "libopus", "picture": "libvpx"},
    "live webm": {
        "container": "webm",
        "sound": "libopus",
        "picture": "libvpx",
        "options": {"live": "1"},
    },
    "flv": {"container": "flv", "sound": "aac", "picture": "libx264"},
    "wmv": {"container": "asf", "sound": "libmp3lame", "picture": "mpeg4"},
    "mp4": {"container": "mp4", "sound": "aac", "picture": "libx264"},
    "m4a": {"container": "ipod", "sound": "aac"},
    "avi": {"container": "avi", "sound": "pcm_s16le", "picture": "mpeg4"},
    "wav": {"container": "wav", "sound": "pcm_s16le", "options": {"write_bext": "1"}},
    "long wav": {
        "container": "wav",
        "sound": "pcm_s16le",
        "options": {"write_bext": "1", "rf64": "always"},
    },
    "mp3": {"container": "mp3", "sound": "libmp3lame", "options": {"write_id3v1": "1"}},
    "flac": {"container": "flac", "sound": "flac"},
    "opus": {"container": "ogg", "sound": "libopus"},
    "opus, much told": {"container": "ogg", "sound": "libopus", "more": ", and more" * 9_000},
    "ogg": {"container": "ogg", "sound": "vorbis"},
    "ogg, flac": {"container": "ogg", "sound": "flac"},
    "ogg, film": {"container": "ogg", "sound": "vorbis", "picture": "libvpx"},
}


def leaving(content: bytes, step: int = 1_000_000) -> bytes:
    def read(start: int, length: int) -> bytes:
        return content[start : start + length]

    changes = changes_of(read, len(content))
    return b"".join(
        b"".join(laid(iter([content[at : at + step]]), at, changes))
        for at in range(0, len(content), step)
    )


def decoded(content: bytes) -> tuple[object, ...]:
    with av.open(io.BytesIO(content)) as file:
        frames = [
            (frame.pts, bytes(frame.to_ndarray()))
            for frame in file.decode(*file.streams.video, *file.streams.audio)
        ]
        return file.duration, file.start_time, [each.type for each in file.streams], frames


def said(content: bytes) -> str:
    with av.open(io.BytesIO(content)) as file:
        everything = [file.metadata, *(stream.metadata for stream in file.streams)]
        return " ".join(" ".join(each.values()) for each in everything)


def box(kind: bytes, *content: bytes) -> bytes:
    inside = b"".join(content)
    return (8 + len(inside)).to_bytes(4) + kind + inside


def element(number: int, *content: bytes) -> bytes:
    inside = b"".join(content)
    name = number.to_bytes((number.bit_length() + 7) // 8)
    return name + (1 << 56 | len(inside)).to_bytes(8) + inside


EBML, SEGMENT, CLUSTER, SEEK_HEAD, TAGS, ATTACHMENTS = (
    *(0x1A45DFA3, 0x18538067, 0x1F43B675),
    *(0x114D9B74, 0x1254C367, 0x1941A469),
)
ENDLESS = b"\x01" + b"\xff" * 7


def seek(number: int, at: int) -> bytes:
    return element(0x4DBB, element(0x53AB, number.to_bytes(4)), element(0x53AC, at.to_bytes(8)))


def chunk(kind: bytes, content: bytes) -> bytes:
    return kind + len(content).to_bytes(4, "little") + content + bytes(len(content) % 2)


def counting(content: bytes) -> tuple[Callable[[int, int], bytes], list[int]]:
    asked: list[int] = []

    def read(start: int, length: int) -> bytes:
        asked.append(length)
        assert start >= 0
        assert 0 < length <= len(content) - start
        return content[start : start + length]

    return read, asked
