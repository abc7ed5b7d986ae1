"""Every container that we promise opens by its content, whatever the file is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.backends.media.playback import make_playback
from analysis.errors import AnalysisError
from tests.analysis.recordings import Picture, Tone, read, record

FILM = [
    ("talk.mp4", "mp4", "mp4", "libx264", "aac"),
    ("talk.mov", "mov", "mov", "libx264", "aac"),
    ("talk.mkv", "matroska", "mkv", "libx264", "aac"),
    ("talk.webm", "webm", "webm", "libvpx", "libopus"),
    ("talk.avi", "avi", "avi", "mpeg4", "libmp3lame"),
    ("talk.flv", "flv", "flv", "flv", "aac"),
    ("talk.mpg", "mpeg", "mpeg", "mpeg2video", "mp2"),
    ("talk.ts", "mpegts", "mpegts", "libx264", "aac"),
    ("talk.wmv", "asf", "wmv", "wmv2", "wmav2"),
]
SOUND = [
    ("talk.m4a", "ipod", "m4a", "aac", 48_000),
    ("talk.wav", "wav", "wav", "pcm_s16le", 44_100),
    ("quiet.wav", "wav", "wav", "pcm_u8", 8_000),
    ("talk.mp3", "mp3", "mp3", "libmp3lame", 44_100),
    ("talk.flac", "flac", "flac", "flac", 48_000),
    ("talk.ogg", "ogg", "ogg", "libopus", 48_000),
    ("talk.aac", "adts", "aac", "aac", 48_000),
    ("talk.amr", "amr", "amr", "libopencore_amrnb", 8_000),
    ("talk.aiff", "aiff", "aiff", "pcm_s16be", 44_100),
    ("talk.aifc", "aiff", "aiff", "pcm_mulaw", 8_000),
    ("talk.caf", "caf", "caf", "pcm_s16le", 44_100),
    ("memo.caf", "caf", "caf", "alac", 48_000),
    ("talk.au", "au", "au", "pcm_s16be", 44_100),
    ("talk.w64", "w64", "w64", "pcm_s16le", 48_000),
    ("talk.mp2", "mp2", "mp3", "mp2", 44_100),
    ("talk.wma", "asf", "wmv", "wmav2", 44_100),
    ("talk.3ga", "3gp", "3gp", "aac", 48_000),
    ("talk.mka", "matroska", "mkv", "libopus", 48_000),
]
BARE = [row for row in SOUND if row[2] in {"aac", "amr", "aiff", "caf", "au", "w64"}]


@pytest.mark.parametrize(("name", "format_", "container", "picture", "sound"), FILM)
def test_it_reads_picture_and_sound(
    tmp_path: Path, name: str, format_: str, container: str, picture: str, sound: str
) -> None:
    rate = 44_100 if sound in {"libmp3lame", "mp2", "wmav2"} else 48_000
    path = record(
        tmp_path / name,
        container=format_,
        picture=Picture(codec=picture),
        tone=Tone(codec=sound, rate_hz=rate, layout="stereo"),
    )
    media, samples = read(path)
    assert media.container == container
    assert media.duration == pytest.approx(2.0, abs=0.1)
    assert media.video is not None
    assert (media.video.width, media.video.height) == (160, 96)
    assert media.video.fps == pytest.approx(25, rel=0.01)
    assert media.audio is not None
    assert media.audio.channels == 2
    assert len(samples) / 16_000 == pytest.approx(2.0, abs=0.1)
    assert media.notes == ()


@pytest.mark.parametrize(("name", "format_", "container", "codec", "rate"), SOUND)
def test_it_reads_sound_alone(
    tmp_path: Path, name: str, format_: str, container: str, codec: str, rate: int
) -> None:
    path = record(tmp_path / name, container=format_, tone=Tone(codec=codec, rate_hz=rate))
    media, samples = read(path)
    assert media.container == container
    assert media.video is None
    assert media.audio is not None
    assert media.audio.sample_rate_hz == rate
    assert media.duration == pytest.approx(2.0, abs=0.1)
    assert abs(samples[8_000:24_000]).max() == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(("name", "format_", "container", "codec", "rate"), BARE)
@pytest.mark.parametrize("kept", [0.5, 0.02])
def test_sound_that_ends_in_the_middle_is_read_as_far_as_it_goes(
    tmp_path: Path, name: str, format_: str, container: str, codec: str, rate: int, kept: float
) -> None:
    path = record(
        tmp_path / name, container=format_, tone=Tone(codec=codec, rate_hz=rate, seconds=8.0)
    )
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * kept)])
    if codec == "alac":  # packed sound in a CAF is described behind it
        with pytest.raises(AnalysisError, match=r"\.$"):
            read(path)
        return
    media, samples = read(path)
    assert media.container == container
    assert media.duration == pytest.approx(8.0 * kept, abs=0.5)
    assert len(samples) / 16_000 == pytest.approx(media.duration, abs=0.1)


@pytest.mark.parametrize(("name", "format_", "container", "codec", "rate"), BARE)
def test_browsers_get_a_copy_of_it(
    tmp_path: Path, name: str, format_: str, container: str, codec: str, rate: int
) -> None:
    path = record(tmp_path / name, container=format_, tone=Tone(codec=codec, rate_hz=rate))
    media, _samples = read(path)
    copy = make_playback(path, media=media, folder=tmp_path, progress=lambda _share: None)
    assert copy is not None
    played, _samples = read(copy)
    assert played.audio is not None
    assert (played.container, played.audio.codec) == ("mp4", "aac")
    assert played.duration == pytest.approx(2.0, abs=0.15)


def test_aac_behind_tags_is_read(tmp_path: Path) -> None:
    """As pieces of a broadcast begin."""
    path = record(
        tmp_path / "talk.aac",
        container="adts",
        tone=Tone(codec="aac", rate_hz=48_000),
        options={"write_id3v2": "1"},
    )
    tag = b"ID3\x04\0\0\0\0\0\x14" + b"TIT2\0\0\0\x0a\0\0\3A title..".ljust(20, b"\0")
    path.write_bytes(tag + path.read_bytes())
    media, _samples = read(path)
    assert media.container == "aac"
    assert media.duration == pytest.approx(2.0, abs=0.1)


def test_a_wrong_suffix_does_not_matter(tmp_path: Path) -> None:
    path = record(
        tmp_path / "talk.avi", container="webm", tone=Tone(codec="libopus", rate_hz=48_000)
    )
    assert read(path)[0].container == "webm"


@pytest.mark.parametrize(
    "name",
    ["-talk.mp4", "понедельник 月曜.mp4", "talk%03d.mp4", "concat:talk.mp4", 'a|b\'s "c".mp4'],
)
def test_a_strange_name_is_only_a_name(tmp_path: Path, name: str) -> None:
    path = record(tmp_path / "plain.mp4", picture=Picture()).rename(tmp_path / name)
    assert read(path)[0].video is not None


def test_a_name_that_is_not_text_is_read_too(tmp_path: Path) -> None:
    path = record(tmp_path / "plain.mp4", picture=Picture())
    odd = path.rename(tmp_path / b"talk-\xff.mp4".decode("utf-8", "surrogateescape"))
    assert read(odd)[0].video is not None


def test_the_same_bytes_have_the_same_sha256(tmp_path: Path) -> None:
    first = record(tmp_path / "a.wav", tone=Tone(codec="pcm_s16le"))
    second = tmp_path / "b.bin"
    second.write_bytes(first.read_bytes())
    assert read(first)[0].sha256 == read(second)[0].sha256
