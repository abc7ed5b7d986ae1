"""What is no recording, or wants to be more than one, is refused with one sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from analysis.backends.media.frames import sampled_frames
from analysis.backends.media.memory import resident_bytes
from analysis.errors import (
    AnalysisError,
    MediaEmpty,
    MediaEncrypted,
    MediaMissing,
    MediaRefused,
    MediaTooLarge,
    MediaTooLong,
    MediaUnreadable,
    NothingDecodable,
)
from analysis.ports import Limits
from tests.analysis.recordings import Picture, Tone, read, record

_ID3_ONLY = b"ID3\x03\x00\x00\x00\x00\x00\x10" + bytes(16)
# 512 bytes of AAC at 48 kHz, as far as its header says.
_AAC_FRAME = b"\xff\xf1\x4c\x40\x40\x1f\xfc" + bytes(505)

REFUSED: list[tuple[str, bytes, type[AnalysisError]]] = [
    ("zero bytes", b"", MediaEmpty),
    ("text", b"Dear diary, this is no video.\n" * 50, MediaUnreadable),
    ("a picture", b"\x89PNG\r\n\x1a\n" + bytes(500), MediaUnreadable),
    ("a photograph", b"\xff\xd8\xff\xe1\x00\x20Exif\0\0" + bytes(500), MediaUnreadable),
    ("a drawing", b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", MediaUnreadable),
    ("a drawing with a head", b"<?xml version='1.0'?>\n<!-- -->\n<svg></svg>", MediaUnreadable),
    ("a page", b"<!doctype html><script>alert(1)</script>", MediaUnreadable),
    ("noise", bytes(range(256)) * 40, MediaUnreadable),
    ("tags without sound", _ID3_ONLY, MediaUnreadable),
    ("half a wav header", b"RIFF\xff\xff\xff\xffWAVEfmt ", MediaUnreadable),
    ("an mp4 that ends at once", b"\x00\x00\x00\x18ftypmp42" + bytes(12), MediaUnreadable),
    ("a webm that ends at once", b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81", MediaUnreadable),
    ("words called amr", b"#!AMR\nDear diary, this is no sound.\n" * 50, MediaUnreadable),
    ("amr without a frame", b"#!AMR\n", MediaUnreadable),
    ("wide amr with noise", b"#!AMR-WB\n" + bytes(range(1, 256)) * 9, MediaUnreadable),
    ("two frames of aac and noise", 2 * _AAC_FRAME + bytes(range(255)) * 9, MediaUnreadable),
    ("aac that begins and ends", _AAC_FRAME[:7], MediaUnreadable),
    ("empty frames of aac", 99 * (_AAC_FRAME[:7].replace(b"\x40", b"\x00")), MediaUnreadable),
    ("a form of something else", b"FORM\0\0\1\0ILBMBMHD" + bytes(300), MediaUnreadable),
    ("aiff without sound", b"FORM\0\0\0\x04AIFF", MediaUnreadable),
    ("aiff that is noise", b"FORM\xff\xff\xff\xffAIFF" + bytes(range(255)) * 9, MediaUnreadable),
    ("caf without sound", b"caff\0\1\0\0" + bytes(64), MediaUnreadable),
    ("a newer caf", b"caff\0\2\0\0desc" + bytes(64), MediaUnreadable),
    ("au that is words", b".snd and then some words\n" * 9, MediaUnreadable),
    ("half a w64 header", bytes.fromhex("726966662e91cf11a5d628db04c10000"), MediaUnreadable),
    ("an hls playlist called aac", b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n", MediaRefused),
    ("an hls playlist", b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n", MediaRefused),
    ("an hls playlist with a mark", b"\xef\xbb\xbf#EXTM3U\nhttp://127.0.0.1/x\n", MediaRefused),
    ("a concat list", b"ffconcat version 1.0\nfile /etc/passwd\n", MediaRefused),
    ("a concat list without a head", b"file '/etc/passwd'\n", MediaRefused),
    ("a dash manifest", b"<?xml version='1.0'?>\n<MPD xmlns='urn'></MPD>", MediaRefused),
    ("a smil file", b"<smil><body><video src='http://127.0.0.1/'/></body></smil>", MediaRefused),
    ("a pls playlist", b"[playlist]\nFile1=http://127.0.0.1/\n", MediaRefused),
    ("a session description", b"v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\n", MediaRefused),
    ("an address", b"http://169.254.169.254/latest/meta-data\n", MediaRefused),
]


@pytest.mark.parametrize("suffix", [".mp4", ".webm", ".avi", ".aac", ".caf", ""])
@pytest.mark.parametrize(("what", "content", "error"), REFUSED, ids=[row[0] for row in REFUSED])
def test_it_is_refused_whatever_it_is_called(
    tmp_path: Path, what: str, content: bytes, error: type[AnalysisError], suffix: str
) -> None:
    path = tmp_path / f"talk{suffix}"
    path.write_bytes(content)
    with pytest.raises(error) as caught:
        read(path)
    assert caught.value.sentence.endswith(".")
    assert str(tmp_path) not in str(caught.value)


@pytest.mark.parametrize("kind", ["missing", "a folder", "a pipe"])
def test_what_is_no_file_is_missing(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "talk.mp4"
    if kind == "a folder":
        path.mkdir()
    if kind == "a pipe":
        os.mkfifo(path)
    with pytest.raises(MediaMissing):
        read(path)


def test_a_name_with_a_zero_byte_is_missing() -> None:
    with pytest.raises(MediaMissing):
        read(Path("talk\0.mp4"))


def test_a_playlist_inside_a_subtitle_reaches_no_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.wav"
    record(secret, tone=Tone(codec="pcm_s16le"))
    playlist = f"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://{secret}\n#EXT-X-ENDLIST\n"
    path = tmp_path / "talk.mkv"
    path.write_text(playlist)
    with pytest.raises(MediaRefused):
        read(path)


@pytest.mark.parametrize(
    ("name", "container", "codec", "options"),
    [
        ("talk.mp4", "mp4", "libx264", {"movflags": "+faststart"}),
        ("talk.webm", "webm", "libvpx", {}),
        ("talk.mkv", "matroska", "libx264", {}),
    ],
)
def test_a_file_cut_in_half_is_read_as_far_as_it_goes(
    tmp_path: Path, name: str, container: str, codec: str, options: dict[str, str]
) -> None:
    sound = "libopus" if container == "webm" else "aac"
    path = record(
        tmp_path / name,
        container=container,
        options=options,
        picture=Picture(codec=codec, times=[index / 25 for index in range(250)]),
        tone=Tone(codec=sound, rate_hz=48_000, seconds=10.0),
    )
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    media, samples = read(path)
    assert 1.0 < media.duration < 8.0
    assert media.audio is not None
    assert media.video is not None
    assert len(samples) > 0
    assert media.claimed_duration == pytest.approx(10.0, abs=0.2)
    assert media.notes[0].detail.startswith(
        "The file ends in the middle: it claims 0:10, we could read 0:"
    )


@pytest.mark.parametrize("kept", [-4, 200], ids=["before the index", "within it"])
def test_an_mp4_that_ends_before_its_index_says_so(tmp_path: Path, kept: int) -> None:
    path = record(tmp_path / "talk.mp4", picture=Picture(), tone=Tone())
    content = path.read_bytes()
    path.write_bytes(content[: content.index(b"moov") + kept])
    with pytest.raises(MediaUnreadable, match="The end of the file is missing"):
        read(path)


def test_an_mp4_that_is_damaged_in_its_index_is_not_called_cut_off(tmp_path: Path) -> None:
    path = record(tmp_path / "talk.mp4", picture=Picture(), tone=Tone())
    content = path.read_bytes()
    index = content.index(b"moov") + 4
    path.write_bytes(content[:index] + bytes(len(content) - index))
    with pytest.raises(NothingDecodable):
        read(path)


def with_tracks(path: Path, count: int) -> Path:
    """An MP4 whose picture track is described so many times."""
    record(path, picture=Picture(times=(0.0, 0.04)))
    content = path.read_bytes()
    start = content.index(b"moov") - 4
    assert content.index(b"mdat") < start  # so that adding to the index moves nothing
    size = int.from_bytes(content[start : start + 4])
    track = content.index(b"trak", start) - 4
    one = content[track : track + int.from_bytes(content[track : track + 4])]
    number = one.index(b"tkhd") + 16
    more = [
        one[:number] + (2 + index).to_bytes(4) + one[number + 4 :] for index in range(count - 1)
    ]
    index = content[start + 4 : start + size] + b"".join(more)
    path.write_bytes(content[:start] + (len(index) + 4).to_bytes(4) + index)
    return path


def test_dozens_of_tracks_are_read_and_hundreds_are_not_even_opened(tmp_path: Path) -> None:
    """Of 900 tracks in half a megabyte a decoder made more than a gigabyte."""
    media, _ = read(with_tracks(tmp_path / "many.mp4", 60))
    assert media.video is not None
    hostile = with_tracks(tmp_path / "hostile.mp4", 900)
    before = resident_bytes()
    with pytest.raises(MediaUnreadable):
        read(hostile)
    assert resident_bytes() - before < 300 * 2**20


def test_damage_in_the_middle_costs_only_the_middle(tmp_path: Path) -> None:
    path = record(
        tmp_path / "talk.mkv",
        picture=Picture(times=[index / 25 for index in range(250)]),
        tone=Tone(codec="libmp3lame", rate_hz=44_100, seconds=10.0),
    )
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 600] = bytes(600)
    path.write_bytes(bytes(content))
    media, samples = read(path)
    assert media.duration == pytest.approx(10.0, abs=0.2)
    assert abs(samples[-16_000:]).max() > 0.1
    assert len(list(sampled_frames(path, per_second=5, max_side=64))) > 25


def test_encryption_is_named(tmp_path: Path) -> None:
    key = {
        "encryption_scheme": "cenc-aes-ctr",
        "encryption_key": "00112233445566778899aabbccddeeff",
        "encryption_kid": "112233445566778899aabbccddeeff00",
    }
    path = record(tmp_path / "talk.mp4", picture=Picture(), tone=Tone(), options=key)
    with pytest.raises(MediaEncrypted):
        read(path)


def test_a_cover_picture_is_no_video(tmp_path: Path) -> None:
    cover = Picture(codec="mjpeg", pixels="yuvj420p", times=[0.0])
    path = record(tmp_path / "talk.mp3", picture=cover, tone=Tone(codec="libmp3lame"))
    media, _ = read(path)
    assert media.video is None
    assert media.audio is not None


def test_a_container_without_sound_or_picture_says_so(tmp_path: Path) -> None:
    path = record(tmp_path / "talk.mkv", picture=Picture(), tone=Tone())
    content = path.read_bytes()
    # Codecs of which nobody has heard.
    path.write_bytes(content.replace(b"V_MPEG4", b"V_XXXXX").replace(b"A_AAC", b"A_XXX"))
    with pytest.raises(NothingDecodable):
        read(path)


def test_an_unknown_picture_codec_leaves_the_sound(tmp_path: Path) -> None:
    path = record(tmp_path / "talk.mp4", picture=Picture(), tone=Tone())
    path.write_bytes(path.read_bytes().replace(b"avc1", b"zzz1"))
    media, samples = read(path)
    assert media.video is None
    assert len(samples) > 0
    assert [note.code for note in media.notes] == ["picture_undecodable"]


LIMITS = [
    (Limits(max_seconds=1.5), MediaTooLong),
    (Limits(max_bytes=1000), MediaTooLarge),
    (Limits(max_pixels=160 * 96 - 1), MediaTooLarge),
]


@pytest.mark.parametrize(("limits", "error"), LIMITS)
def test_limits_are_kept(tmp_path: Path, limits: Limits, error: type[AnalysisError]) -> None:
    path = record(tmp_path / "talk.mp4", picture=Picture(), tone=Tone())
    with pytest.raises(error):
        read(path, limits)


def test_a_length_is_refused_even_where_the_header_hides_it(tmp_path: Path) -> None:
    live = {"movflags": "frag_keyframe+empty_moov+default_base_moof"}
    path = record(tmp_path / "talk.mp4", picture=Picture(), options=live)
    with pytest.raises(MediaTooLong):
        read(path, Limits(max_seconds=1.0))


def test_a_header_that_claims_too_much_is_not_believed(tmp_path: Path) -> None:
    path = record(tmp_path / "talk.wav", tone=Tone(codec="pcm_s16le"))
    content = bytearray(path.read_bytes())
    place = content.index(b"data") + 4
    content[place : place + 4] = (2**31).to_bytes(4, "little")
    path.write_bytes(bytes(content))
    media, _ = read(path, Limits(max_seconds=60.0))
    assert media.duration == pytest.approx(2.0, abs=0.1)


def test_a_clock_that_begins_long_before_the_film_does_not_make_it_cut_off(tmp_path: Path) -> None:
    late = record(
        tmp_path / "late.mkv", picture=Picture(times=[100 + index / 25 for index in range(100)])
    )
    media, _ = read(late)
    assert media.claimed_duration == pytest.approx(104, abs=1)
    assert media.duration == pytest.approx(4.0, abs=0.1)
    assert not media.notes
