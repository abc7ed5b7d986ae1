"""The copy for playback holds picture and sound, and nothing that a device or a person wrote."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from analysis.backends.media.playback import make_playback
from tests.analysis.recordings import read

PLACE, DEVICE, PERSON = b"+48.8566+002.3522", b"Pocket 7", b"Ana Silva"
MARKERS = tuple(
    marker
    for each in (PLACE, DEVICE, PERSON)
    for marker in (each, each.decode().encode("utf-16-le"), each.decode().encode("utf-16-be"))
)
KEYS = {"title": PERSON, "artist": PERSON, "location": PLACE, "comment": DEVICE, "model": DEVICE}
SUPPLEMENTAL = b"x264 - core"
"""What the encoder writes as private data between the pictures, where cameras write a place."""


def _pictures() -> Iterator[av.VideoFrame]:
    for shade in range(0, 200, 10):
        yield av.VideoFrame.from_ndarray(np.full((48, 64, 3), shade, np.uint8), format="rgb24")


def _tone(heard: av.AudioStream) -> Iterator[av.AudioFrame]:
    samples = (np.sin(np.arange(96_000) / 30) * 9_000).astype(np.int16)[None]
    frame = av.AudioFrame.from_ndarray(samples, format="s16", layout="mono")
    frame.sample_rate = 48_000
    resampler = av.AudioResampler(
        heard.format.name, heard.layout.name, 48_000, heard.frame_size or 1024
    )
    yield from resampler.resample(frame)
    yield from resampler.resample(None)


def described(path: Path, container: str, sound: str, picture: str = "", **options: str) -> Path:
    """Write two seconds of a tone, with grey pictures or none, and every kind of metadata."""
    layout = "stereo" if sound == "vorbis" else "mono"
    with av.open(str(path), "w", format=container, options=options) as out:
        heard = out.add_stream(sound, 48_000, {"strict": "-2"}, layout=layout)
        tracks: list[Any] = [heard]
        if picture:
            seen = out.add_stream(picture, rate=10)
            seen.width, seen.height, seen.pix_fmt = 64, 48, "yuv420p"
            tracks.append(seen)
        for metadata in (out.metadata, *(track.metadata for track in tracks)):
            metadata.update({key: value.decode() for key, value in KEYS.items()})
        out.set_chapters(
            [{"id": 1, "start": 0, "end": 1, "time_base": 1, "metadata": {"title": "Ana Silva"}}]
        )
        out.start_encoding()
        for track in tracks:
            frames: Iterator[Any] = _tone(heard) if track is heard else _pictures()
            packets = [packet for frame in (*frames, None) for packet in track.encode(frame)]
            out.mux([packet for packet in packets if packet.size])
    return path


FILES: list[tuple[str, tuple[str, ...], dict[str, str]]] = [
    ("talk.mp4", ("mp4", "aac", "libx264"), {"movflags": "use_metadata_tags"}),
    ("fragments.mp4", ("mp4", "aac", "libx264"), {"movflags": "frag_keyframe+empty_moov"}),
    ("talk.mov", ("mov", "aac", "libx264"), {"movflags": "use_metadata_tags"}),
    ("talk.mkv", ("matroska", "aac", "libx264"), {}),
    ("talk.webm", ("webm", "libopus", "libvpx"), {}),
    ("vorbis.webm", ("webm", "vorbis", "libvpx"), {}),
    ("talk.flv", ("flv", "aac", "libx264"), {}),
    ("talk.wmv", ("asf", "libmp3lame", "mpeg4"), {}),
    ("talk.avi", ("avi", "pcm_s16le", "mpeg4"), {}),
    ("talk.ts", ("mpegts", "aac", "libx264"), {}),
    ("talk.mpg", ("mpeg", "mp2", "mpeg2video"), {}),
    ("talk.m4a", ("ipod", "aac"), {}),
    ("talk.wav", ("wav", "pcm_s16le"), {"write_bext": "1"}),
    ("talk.mp3", ("mp3", "libmp3lame"), {"write_id3v1": "1"}),
    ("talk.flac", ("flac", "flac"), {}),
    ("talk.opus", ("ogg", "libopus"), {}),
    ("talk.ogg", ("ogg", "vorbis"), {}),
    ("talk.aac", ("adts", "aac"), {"write_id3v2": "1"}),
    ("talk.aiff", ("aiff", "pcm_s16be"), {"write_id3v2": "1"}),
    ("talk.caf", ("caf", "pcm_s16le"), {}),
    ("talk.au", ("au", "pcm_s16be"), {}),
]


@pytest.mark.parametrize(("name", "kind", "options"), FILES, ids=[each[0] for each in FILES])
def test_no_marker_of_the_original_is_in_the_copy(
    tmp_path: Path, name: str, kind: tuple[str, ...], options: dict[str, str]
) -> None:
    path = described(tmp_path / name, *kind, **options)
    if path.suffix in {".mp4", ".mov", ".m4a"}:
        with path.open("ab") as file:
            file.write((8 + len(PLACE)).to_bytes(4) + b"uuid" + PLACE)
    original = path.read_bytes()
    assert any(each in original for each in MARKERS) or path.suffix == ".mpg"
    media, _ = read(path)
    copy = make_playback(path, media=media, folder=tmp_path, progress=lambda _share: None)
    content = copy.read_bytes()
    assert [each for each in MARKERS if each in content] == []
    with av.open(str(copy)) as played:
        told = [played.metadata, *(stream.metadata for stream in played.streams)]
        assert not any(each.decode() in str(told) for each in (PLACE, DEVICE, PERSON))
        assert played.chapters() == []
        assert {stream.type for stream in played.streams} <= {"video", "audio"}
    again, _ = read(copy)
    assert again.duration == pytest.approx(media.duration, abs=0.1)
    assert (again.video is None, again.audio is None) == (media.video is None, False)


@pytest.mark.parametrize("name", ["talk.mp4", "talk.mkv", "talk.flv"])
def test_private_data_between_copied_pictures_is_left_out(tmp_path: Path, name: str) -> None:
    container = {"talk.mkv": "matroska"}.get(name, name.partition(".")[2])
    path = described(tmp_path / name, container, "aac", "libx264")
    assert SUPPLEMENTAL in path.read_bytes()
    media, _ = read(path)
    copy = make_playback(path, media=media, folder=tmp_path, progress=lambda _share: None)
    assert SUPPLEMENTAL not in copy.read_bytes()
    with av.open(str(copy)) as played:
        assert len(list(played.decode(video=0))) == 20
