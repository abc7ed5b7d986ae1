"""The copy for playback: copied where browsers play the streams, encoded where they do not."""

from __future__ import annotations

import errno
import os
from itertools import pairwise
from pathlib import Path

import av
import pytest
from av.container import InputContainer

from analysis.backends.media.playback import encodes_picture, make_playback
from tests.analysis.recordings import Picture, Tone, read, record

FASTSTART = {"movflags": "+faststart"}
LONG = tuple(index / 25 for index in range(100))


def playback(path: Path) -> Path:
    media, _ = read(path)
    return make_playback(path, media=media, folder=path.parent, progress=lambda share: None)


def is_encoded(path: Path) -> bool:
    return encodes_picture(path, media=read(path)[0])


def key_frame_times(container: InputContainer) -> list[float]:
    return [
        float(packet.pts * packet.time_base)
        for packet in container.demux(video=0)
        if packet.is_keyframe and packet.pts is not None
    ]


@pytest.mark.parametrize(
    ("name", "picture", "tone", "copied_sound"),
    [
        ("talk.mp4", Picture(), Tone(), "aac"),
        ("talk.webm", Picture(codec="libvpx"), Tone(codec="libopus", rate_hz=48_000), "opus"),
        ("talk.wav", None, Tone(codec="pcm_s16le"), "aac"),
        ("talk.flac", None, Tone(codec="flac"), "aac"),
    ],
)
def test_what_browsers_play_is_copied_and_other_sound_is_encoded(
    tmp_path: Path, name: str, picture: Picture | None, tone: Tone, copied_sound: str
) -> None:
    path = record(tmp_path / name, picture=picture, tone=tone)
    assert not is_encoded(path)
    media, _ = read(playback(path))
    assert media.audio is not None
    assert media.audio.codec == copied_sound


def test_an_index_at_the_end_is_moved_to_the_front(tmp_path: Path) -> None:
    copy = playback(record(tmp_path / "talk.mp4", picture=Picture(), tone=Tone()))
    content = copy.read_bytes()
    assert content.index(b"moov") < content.index(b"mdat")


@pytest.mark.parametrize("late", [0.0, 1.0])
def test_matroska_is_copied_without_loss(tmp_path: Path, late: float) -> None:
    path = record(
        tmp_path / "talk.mkv", picture=Picture(times=LONG), tone=Tone(start=late, seconds=4 - late)
    )
    copy = playback(path)
    assert copy.suffix == ".mp4"
    with av.open(str(copy)) as container:
        assert len(list(container.decode(video=0))) == len(LONG)
    media, _ = read(copy)
    assert media.audio is not None
    assert media.audio.start == pytest.approx(late, abs=0.1)


def test_a_browsers_recording_without_length_becomes_seekable(tmp_path: Path) -> None:
    path = record(
        tmp_path / "talk.webm",
        picture=Picture(codec="libvpx"),
        tone=Tone(codec="libopus", rate_hz=48_000),
        options={"live": "1"},
    )
    assert read(path)[0].claimed_duration is None
    assert not is_encoded(path)
    copy = playback(path)
    assert copy.suffix == ".webm"
    assert read(copy)[0].claimed_duration == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize(
    ("name", "picture", "tone"),
    [
        ("talk.avi", Picture(codec="mpeg4", times=LONG), Tone(codec="libmp3lame", seconds=4)),
        ("talk.mkv", Picture(pixels="yuv420p10le", times=LONG), Tone(seconds=4)),
        ("talk.flv", Picture(codec="flv", times=LONG), Tone(seconds=4)),
    ],
)
def test_what_browsers_cannot_play_is_encoded_with_a_key_frame_each_second(
    tmp_path: Path, name: str, picture: Picture, tone: Tone
) -> None:
    path = record(tmp_path / name, picture=picture, tone=tone)
    assert is_encoded(path)
    copy = playback(path)
    media, samples = read(copy)
    assert media.video is not None
    assert (media.video.codec, media.video.width, media.video.height) == ("h264", 160, 96)
    assert media.duration == pytest.approx(4.0, abs=0.2)
    assert abs(samples[16_000:48_000]).max() > 0.1
    with av.open(str(copy)) as container:
        keys = key_frame_times(container)
    assert len(keys) >= 4
    assert all(later - earlier < 1.1 for earlier, later in pairwise(keys))


@pytest.mark.parametrize(
    "picture",
    [Picture(codec="libsvtav1"), Picture(codec="libvpx-vp9", pixels="yuv444p")],
)
def test_what_only_some_browsers_play_is_encoded_for_the_others(
    tmp_path: Path, picture: Picture
) -> None:
    tone = Tone(codec="libopus", rate_hz=48_000)
    path = record(tmp_path / "talk.webm", picture=picture, tone=tone)
    assert is_encoded(path)
    copy = playback(path)
    media, _ = read(copy)
    assert media.video is not None
    assert (copy.suffix, media.video.codec) == (".mp4", "h264")


def test_making_a_recording_leaves_the_process_in_its_place(tmp_path: Path) -> None:
    before = os.sched_getscheduler(0)
    record(tmp_path / "talk.webm", picture=Picture(codec="libsvtav1"))
    assert os.sched_getscheduler(0) == before


def test_sound_of_another_kind_is_encoded_beside_a_copied_picture(tmp_path: Path) -> None:
    path = record(tmp_path / "talk.mkv", picture=Picture(), tone=Tone(codec="flac"))
    copy = playback(path)
    media, _ = read(copy)
    assert media.audio is not None
    assert media.audio.codec == "aac"


def test_a_turned_picture_stays_upright(tmp_path: Path) -> None:
    for codec, pixels in (("libx264", "yuv420p"), ("libx264", "yuv420p10le")):
        path = record(
            tmp_path / "talk.mp4", picture=Picture(codec=codec, pixels=pixels, rotation=-90)
        )
        copy = playback(path)
        media, _ = read(copy)
        assert media.video is not None
        assert (media.video.width, media.video.height) == (96, 160)


def test_a_file_that_ends_in_the_middle_is_played_to_there(tmp_path: Path) -> None:
    path = record(
        tmp_path / "talk.mp4", picture=Picture(times=LONG), tone=Tone(seconds=4), options=FASTSTART
    )
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 2 // 3])
    copy = playback(path)
    assert 1 < (read(copy)[0].claimed_duration or 0) < 3.5


def test_nothing_partial_is_left_behind(tmp_path: Path) -> None:
    playback(record(tmp_path / "talk.avi", picture=Picture(codec="mpeg4"), tone=None))
    assert not list(tmp_path.glob("*.part*"))


@pytest.mark.parametrize(
    ("name", "codec"), [("talk.mkv", "libx264"), ("talk.avi", "mpeg4")], ids=["copied", "encoded"]
)
def test_a_disk_without_room_is_no_fault_of_the_recording(
    tmp_path: Path, name: str, codec: str
) -> None:
    path = record(tmp_path / name, picture=Picture(codec=codec, times=LONG), tone=None)
    (tmp_path / "playback.part.mp4").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left") as told:
        playback(path)
    assert told.value.errno == errno.ENOSPC
    assert {each.name for each in tmp_path.iterdir()} == {name}
