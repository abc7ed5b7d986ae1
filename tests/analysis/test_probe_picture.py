"""Pictures come out upright, whole and at their presentation times."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from analysis.backends.media.frames import Frame, sampled_frames, sampled_moments
from analysis.backends.media.poster import write_poster
from tests.analysis.recordings import Picture, Tone, read, record


def frames(path: Path, *, per_second: float = 5.0, max_side: int = 640) -> list[Frame]:
    return list(sampled_frames(path, per_second=per_second, max_side=max_side))


def white_corner(frame: Frame) -> str:
    """Where the white block of the test picture is seen."""
    height, width = frame.rgb.shape[0] // 4, frame.rgb.shape[1] // 4
    corners = {
        "top left": frame.rgb[:height, :width],
        "top right": frame.rgb[:height, -width:],
        "bottom left": frame.rgb[-height:, :width],
        "bottom right": frame.rgb[-height:, -width:],
    }
    return max(corners, key=lambda name: float(corners[name].mean()))


@pytest.mark.parametrize(
    ("turned", "mirrored", "rotation", "size", "corner"),
    [
        (0, False, 0, (160, 96), "top left"),
        (-90, False, 90, (96, 160), "top right"),
        (180, False, 180, (160, 96), "bottom right"),
        (90, False, 270, (96, 160), "bottom left"),
        (0, True, 0, (160, 96), "top right"),
    ],
)
def test_the_display_matrix_is_obeyed(
    tmp_path: Path,
    turned: float,
    mirrored: bool,
    rotation: int,
    size: tuple[int, int],
    corner: str,
) -> None:
    path = record(tmp_path / "phone.mp4", picture=Picture(rotation=turned, mirrored=mirrored))
    media, _ = read(path)
    assert media.video is not None
    assert media.video.rotation == rotation
    assert (media.video.width, media.video.height) == size
    first = frames(path)[0]
    assert first.rgb.shape == (size[1], size[0], 3)
    assert white_corner(first) == corner
    luma = next(sampled_moments(path, per_second=5, max_side=160)).luma(size[0], least_height=1)
    assert luma.shape == (size[1], size[0])
    assert white_corner(Frame(time=0.0, rgb=luma)) == corner


def test_frames_come_at_the_wanted_rate_with_their_own_times(tmp_path: Path) -> None:
    times = [frame.time for frame in frames(record(tmp_path / "a.mp4", picture=Picture()))]
    assert len(times) == 10
    assert all(0.15 <= later - earlier <= 0.25 for earlier, later in pairwise(times))


def test_a_varying_rate_is_sampled_by_time_and_not_by_number(tmp_path: Path) -> None:
    hurried = [index / 100 for index in range(100)]
    slow = [1 + index / 4 for index in range(12)]
    path = record(tmp_path / "vfr.mp4", picture=Picture(times=hurried + slow))
    media, _ = read(path)
    assert media.video is not None
    assert media.video.fps is None
    times = [frame.time for frame in frames(path)]
    assert sum(time < 0.99 for time in times) == 5
    # One at the change of pace may fall to the decoder's shortcut.
    assert sum(time >= 0.99 for time in times) >= 11


@pytest.mark.parametrize("rate", [12, 25, 60, 240])
def test_the_rate_of_the_file_does_not_change_what_is_sampled(tmp_path: Path, rate: int) -> None:
    path = record(
        tmp_path / "a.mp4", picture=Picture(times=[index / rate for index in range(2 * rate)])
    )
    media, _ = read(path)
    assert media.video is not None
    assert media.video.fps == pytest.approx(rate, rel=0.01)
    assert len(frames(path)) == 10


def test_frames_outside_the_part_are_left_out(tmp_path: Path) -> None:
    path = record(tmp_path / "a.mp4", picture=Picture(times=[index / 25 for index in range(200)]))
    part = list(sampled_frames(path, per_second=5, max_side=640, start=3.0, end=5.0))
    assert part[0].time == pytest.approx(3.0, abs=0.05)
    assert part[-1].time < 5.0
    assert len(part) == 10
    # One shade a second: what is seen at 3 s is what was recorded at 3 s.
    assert int(part[2].rgb[-5, -5].mean()) == pytest.approx(93, abs=2)


def test_large_pictures_are_scaled_down_and_small_ones_left(tmp_path: Path) -> None:
    path = record(tmp_path / "a.mp4", picture=Picture(width=320, height=180))
    assert frames(path, max_side=160)[0].rgb.shape == (90, 160, 3)
    assert frames(path, max_side=640)[0].rgb.shape == (180, 320, 3)


def test_a_late_picture_keeps_its_time(tmp_path: Path) -> None:
    path = record(
        tmp_path / "a.mkv",
        picture=Picture(times=[1.5 + index / 25 for index in range(50)]),
        tone=Tone(seconds=3.5),
    )
    media, _ = read(path)
    assert media.video is not None
    assert media.video.start == pytest.approx(1.5, abs=0.05)
    assert frames(path)[0].time == pytest.approx(1.5, abs=0.05)


def test_sound_alone_has_no_frames(tmp_path: Path) -> None:
    assert frames(record(tmp_path / "a.wav", tone=Tone(codec="pcm_s16le"))) == []


def test_a_single_frame_is_a_picture(tmp_path: Path) -> None:
    path = record(tmp_path / "a.mp4", picture=Picture(times=[0.0]))
    media, _ = read(path)
    assert media.video is not None
    assert len(frames(path)) == 1


def test_ten_bits_are_read(tmp_path: Path) -> None:
    path = record(tmp_path / "a.mkv", picture=Picture(pixels="yuv420p10le"))
    assert white_corner(frames(path)[0]) == "top left"


def test_the_poster_is_a_small_lit_picture(tmp_path: Path) -> None:
    path = record(tmp_path / "a.mp4", picture=Picture(width=1280, height=720))
    out = tmp_path / "poster.jpg"
    assert write_poster(path, duration=2.0, out=out)
    assert out.read_bytes().startswith(b"\xff\xd8")
    assert out.stat().st_size < 100_000


def test_a_black_recording_has_a_poster_all_the_same(tmp_path: Path) -> None:
    path = record(tmp_path / "a.mp4", picture=Picture(gray=0))
    assert np.mean(frames(path)[0].rgb) < 10
    assert write_poster(path, duration=2.0, out=tmp_path / "poster.jpg")


def test_there_is_no_poster_of_sound(tmp_path: Path) -> None:
    path = record(tmp_path / "a.wav", tone=Tone(codec="pcm_s16le"))
    assert not write_poster(path, duration=2.0, out=tmp_path / "poster.jpg")
