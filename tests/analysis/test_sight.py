"""Watching with the real models: generated pictures without a person, shared recordings."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from analysis.analysers.gaze import CameraFacing
from analysis.backends.media.frames import Frame, sampled_frames
from analysis.backends.sight.frame import frame_lines
from analysis.backends.sight.watching import watch_frames
from analysis.cli import main
from analysis.errors import ModelUnavailable
from analysis.ports import POSE_POINTS, Sight
from tests.analysis import seen

pytestmark = pytest.mark.usefixtures("faces")


def still_frames(rgb: NDArray[np.uint8], count: int) -> list[Frame]:
    return [Frame(time=index / 5, rgb=rgb) for index in range(count)]


def noise(height: int = 270, width: int = 480) -> NDArray[np.uint8]:
    return np.random.default_rng(1).integers(0, 255, (height, width, 3), dtype=np.uint8)


def test_noise_has_no_face_and_no_body() -> None:
    sight = watch_frames(still_frames(noise(), 6))
    assert np.isnan(sight.head).all()
    assert sight.face_count.tolist() == [0] * 6
    assert sight.pose.shape == (6, len(POSE_POINTS), 3)


def test_a_black_picture_is_black_and_empty() -> None:
    sight = watch_frames(still_frames(np.zeros((270, 480, 3), dtype=np.uint8), 4))
    assert sight.light.tolist() == [0.0] * 4
    assert np.isnan(sight.pose).all()


def test_no_picture_at_all_gives_an_empty_sight() -> None:
    sight = watch_frames([])
    assert sight.times.shape == (0,)
    assert sight.pose.shape == (0, len(POSE_POINTS), 3)
    assert sight.face_box.shape == (0, 4)


def test_a_switched_off_face_is_not_looked_for() -> None:
    sight = watch_frames(still_frames(noise(), 2), parts=("pose",))
    assert sight.watched == ("pose",)
    assert np.isnan(sight.face_count).all()


@pytest.mark.parametrize(
    ("parts", "needed"),
    [(("pose",), "pose_landmarker_lite.task"), (("face",), "face_landmarker.task"), ((), None)],
)
def test_the_model_of_what_is_switched_off_need_not_even_be_there(
    parts: tuple[str, ...],
    needed: str | None,
    models: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if needed:
        (tmp_path / needed).symlink_to(models / needed)
    monkeypatch.setenv("ROSTRUM_MODELS_DIR", str(tmp_path))
    assert watch_frames(still_frames(noise(), 2), parts=parts).watched == parts


def test_missing_weights_are_a_coded_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROSTRUM_MODELS_DIR", str(tmp_path))
    with pytest.raises(ModelUnavailable):
        watch_frames(still_frames(noise(), 1))


def test_every_picture_gets_a_line_and_unreadable_ones_a_reason(tmp_path: Path) -> None:
    text, picture = tmp_path / "notes.txt", tmp_path / "é picture.png"
    text.write_text("no picture")
    Image.fromarray(noise()).save(picture)
    paths = [str(text), str(picture), str(tmp_path / "missing.jpg")]
    lines = [json.loads(line) for line in frame_lines(paths)]
    assert [line["path"] for line in lines] == paths
    assert [line["reasons"] for line in lines] == [["unreadable"], ["no_face"], ["unreadable"]]
    assert all(line["camera_facing"] is None for line in lines)
    assert set(lines[0]) == {
        "path",
        "face",
        "yaw",
        "pitch",
        "roll",
        "eye",
        "camera_facing",
        "reasons",
    }


def test_hostile_pictures_are_a_line_each_and_nothing_waits_or_breaks(tmp_path: Path) -> None:
    (tmp_path / "zero.jpg").touch()
    (tmp_path / "folder.jpg").mkdir()
    os.mkfifo(tmp_path / "pipe.jpg")
    (tmp_path / "script.eps").write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n")
    Image.new("1", (16_000, 16_000)).save(tmp_path / "bomb.png")
    Image.fromarray(noise()).save(tmp_path / "whole.jpg")
    half = (tmp_path / "whole.jpg").read_bytes()
    (tmp_path / "half.jpg").write_bytes(half[: len(half) // 2])
    paths = ["", *(str(path) for path in sorted(tmp_path.iterdir()) if path.name != "whole.jpg")]
    lines = [json.loads(line) for line in frame_lines(paths)]
    assert [line["path"] for line in lines] == paths
    assert all(line["reasons"][0] == "unreadable" for line in lines)
    assert [Path(line["path"]).name for line in lines if "too_large" in line["reasons"]] == [
        "bomb.png"
    ]


def test_a_name_that_is_no_unicode_is_read_and_named_as_it_is(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.png")
    Image.fromarray(noise()).save(path)
    (line,) = frame_lines([path])
    assert os.fsencode(json.loads(line)["path"]) == os.fsencode(path)
    assert json.loads(line)["reasons"] == ["no_face"]


def test_a_picture_whose_name_begins_with_a_dash_is_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Image.fromarray(noise()).save("-1.png")
    assert main(["frame", "-1.png", "-h.png"]) == 0
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [line["path"] for line in lines] == ["-1.png", "-h.png"]
    assert [line["reasons"] for line in lines] == [["no_face"], ["unreadable"]]


def test_the_same_face_is_read_alike_however_the_picture_is_stored(
    shared_media: Path, tmp_path: Path
) -> None:
    with Image.open(shared_media / "4_gaze/frames/lp_d10_001.00.jpg") as opened:
        picture = opened.convert("RGB")
    turned = Image.Exif()
    turned[0x0112] = 6
    picture.save(tmp_path / "plain.png")
    picture.rotate(90, expand=True).save(tmp_path / "turned.jpg", exif=turned, quality=95)
    picture.convert("CMYK").save(tmp_path / "print.jpg", quality=95)
    picture.convert("RGBA").save(tmp_path / "alpha.png")
    picture.save(tmp_path / "moving.webp", save_all=True, append_images=[picture], quality=95)
    Image.fromarray(np.asarray(picture.convert("L")).astype(np.uint16) * 257).save(
        tmp_path / "deep.png"
    )
    lines = [json.loads(line) for line in frame_lines(sorted(map(str, tmp_path.iterdir())))]
    assert [line["camera_facing"] for line in lines] == [True] * 6
    assert np.ptp([line["yaw"] for line in lines]) < 1
    assert np.ptp([line["face"][0] for line in lines]) < 4


def test_a_photo_of_108_million_pixels_is_read(shared_media: Path, tmp_path: Path) -> None:
    source = shared_media / "4_gaze/frames/lp_d10_001.00.jpg"
    with Image.open(source) as opened:
        opened.resize((12_000, 9_000)).save(tmp_path / "phone.jpg", quality=40)
        across = 12_000 / opened.width
    plain, large = (
        json.loads(line) for line in frame_lines([str(source), str(tmp_path / "phone.jpg")])
    )
    assert large["camera_facing"] is plain["camera_facing"] is True
    assert large["face"][0] == pytest.approx(plain["face"][0] * across, rel=0.05)


def test_two_people_side_by_side_are_several_though_only_a_search_finds_them(
    shared_media: Path, tmp_path: Path
) -> None:
    together = Image.new("RGB", (1280, 720))
    for left, name in ((0, "real_002.png"), (640, "real_004.png")):
        with Image.open(shared_media / "4_gaze/zoom_real" / name) as person:
            together.paste(person.convert("RGB").resize((640, 360)), (left, 180))
    together.save(tmp_path / "call.png")
    (line,) = frame_lines([str(tmp_path / "call.png")])
    assert "several_faces" in json.loads(line)["reasons"]


@pytest.mark.parametrize("turn", [90, 270])
def test_a_picture_on_its_side_is_turned_upright_first(
    shared_media: Path, tmp_path: Path, turn: int
) -> None:
    for name in ("lp_d0_000.10.jpg", "lp_d0_001.00.jpg"):
        with Image.open(shared_media / "4_gaze/frames" / name) as picture:
            picture.save(tmp_path / f"plain_{name}.png")
            picture.rotate(turn, expand=True).save(tmp_path / f"turned_{name}.png")
            width, height = picture.size
    facing, away, *lying = (
        json.loads(line) for line in frame_lines(sorted(map(str, tmp_path.iterdir())))
    )
    for plain, turned in zip((facing, away), lying, strict=True):
        assert turned["reasons"] == [*plain["reasons"], "picture_on_its_side"]
        assert turned["camera_facing"] is plain["camera_facing"]
        assert turned["yaw"] == pytest.approx(plain["yaw"], abs=2)
        assert turned["pitch"] == pytest.approx(plain["pitch"], abs=2)
        assert (turned["roll"] - plain["roll"] + turn) % 360 == pytest.approx(0, abs=2)
        left, top, across, down = plain["face"]
        back = {
            90: [top, width - left - across, down, across],
            270: [height - top - down, left, down, across],
        }
        assert turned["face"] == pytest.approx(back[turn], abs=4)


def test_a_pattern_that_looks_like_a_small_face_is_none(shared_media: Path) -> None:
    (line,) = frame_lines([str(shared_media / "4_gaze/aflw2000/image02420.jpg")])
    assert json.loads(line)["reasons"] == ["no_face", "head_turned_away"]


def watched_clip(shared_media: Path, name: str) -> Sight:
    return watch_frames(sampled_frames(shared_media / name, per_second=5, max_side=960))


def test_a_woman_who_looks_into_the_camera_faces_it_although_her_head_is_turned(
    shared_media: Path,
) -> None:
    sight = watched_clip(shared_media, "3_video/lp_s18.mp4")
    assert np.nanmedian(sight.head[:, 0]) < -10
    found = CameraFacing().measure(seen.talk(sight, has_sound=False))
    assert found.measurements["gaze.camera_facing_share"].value > 0.9


def test_gaze_that_is_switched_off_is_not_read(shared_media: Path) -> None:
    frames = sampled_frames(shared_media / "3_video/lp_d0.mp4", per_second=5, max_side=512)
    sight = watch_frames(frames, reads_eyes=False)
    assert np.isfinite(sight.head).all()
    assert np.isnan(sight.eyes).all()
    assert np.isnan(sight.blink).all()


@pytest.mark.parametrize("side", [240, 80])
def test_a_small_camera_picture_beside_slides_is_found(shared_media: Path, side: int) -> None:
    slide = Image.new("RGB", (960, 540), (250, 250, 250))
    for line in range(8):
        slide.paste((40, 60, 120), (60, 60 + 50 * line, 400 + 97 * line % 250, 80 + 50 * line))
    with Image.open(shared_media / "4_gaze/frames/lp_d10_001.00.jpg") as person:
        slide.paste(person.convert("RGB").resize((side, side)), (950 - side, 530 - side))
    sight = watch_frames(still_frames(np.asarray(slide), 10), source_width=1280)
    assert np.isfinite(sight.head[:, 0]).all()
    assert np.nanmedian(sight.head[:, 0]) == pytest.approx(-2.6, abs=3)


def test_a_mirrored_clip_mirrors_the_directions(shared_media: Path) -> None:
    frames = list(sampled_frames(shared_media / "3_video/lp_d0.mp4", per_second=5, max_side=512))
    turned = [Frame(time=f.time, rgb=np.ascontiguousarray(f.rgb[:, ::-1])) for f in frames]
    plain, mirrored = watch_frames(frames), watch_frames(turned)
    sides = [sight.head[:, 0] + sight.eyes[:, 0] for sight in (plain, mirrored)]
    assert np.ptp(sides[0]) > 15
    assert np.nanmedian(np.abs(sides[0] + sides[1])) < 3


def test_labelled_pictures_are_decided_as_people_decide(shared_media: Path) -> None:
    truth = {
        "frames/lp_d0_000.10.jpg": True,
        "frames/lp_d0_001.00.jpg": False,
        "frames/retalk_3_000.50.jpg": False,
        "zoom_real/real_006.png": True,
        "zoom_real/real_014.png": False,
        "zoom_real/real_022.png": True,
    }
    paths = [str(shared_media / "4_gaze" / name) for name in truth]
    lines = [json.loads(line) for line in frame_lines(paths)]
    assert [line["camera_facing"] for line in lines] == list(truth.values())


def test_the_head_angles_have_the_signs_of_the_labelled_poses(shared_media: Path) -> None:
    folder = shared_media / "4_gaze/aflw2000"
    (left, right) = (
        json.loads(line)
        for line in frame_lines([str(folder / "image03614.jpg"), str(folder / "image00516.jpg")])
    )
    assert left["yaw"] == pytest.approx(17.6, abs=5)
    assert right["yaw"] < -20
