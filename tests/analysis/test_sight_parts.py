"""The parts of watching that need no model: geometry, following, light and shift."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from analysis.backends.media.frames import Frame, sampled_moments
from analysis.backends.sight.body import head_region
from analysis.backends.sight.face import Face, head_angles
from analysis.backends.sight.follow import follow, rivals
from analysis.backends.sight.picture import (
    backdrop_of,
    background_shift,
    eye_contrast,
    face_quality,
    gray_of,
)
from analysis.backends.sight.watching import parts_to_watch, spans_to_watch
from analysis.ports import Options
from tests.analysis import seen
from tests.analysis.recordings import Picture, record


def matrix(yaw: float, pitch: float, *, aside: float = 0.0) -> NDArray[np.float64]:
    """A face turned by so much (degrees, our signs), standing aside by so many degrees."""
    turn, tilt = math.radians(-yaw), math.radians(-pitch)
    about_y = np.array(
        [
            [math.cos(turn), 0, math.sin(turn)],
            [0, 1, 0],
            [-math.sin(turn), 0, math.cos(turn)],
        ]
    )
    about_x = np.array(
        [
            [1, 0, 0],
            [0, math.cos(tilt), -math.sin(tilt)],
            [0, math.sin(tilt), math.cos(tilt)],
        ]
    )
    result = np.eye(4)
    result[:3, :3] = about_y @ about_x
    result[:3, 3] = (40 * math.tan(math.radians(aside)), 0, -40)
    return result


def about_z(roll: float) -> NDArray[np.float64]:
    """Counted as AFLW2000 does: positive turns from the y axis to the x axis."""
    turn = math.radians(roll)
    return np.array(
        [
            [math.cos(turn), math.sin(turn), 0],
            [-math.sin(turn), math.cos(turn), 0],
            [0, 0, 1],
        ]
    )


@pytest.mark.parametrize(("yaw", "pitch"), [(0, 0), (25, 0), (-40, 10), (10, -20)])
def test_the_angles_have_the_signs_of_aflw2000(yaw: float, pitch: float) -> None:
    assert head_angles(matrix(yaw, pitch))[:2] == pytest.approx((yaw, pitch), abs=0.1)


@pytest.mark.parametrize(("yaw", "pitch"), [(0, 0), (-55, 7), (30, -15)])
@pytest.mark.parametrize("roll", [-15, 0, 20])
def test_the_roll_is_the_one_that_aflw2000_turns_by_first(
    yaw: float, pitch: float, roll: float
) -> None:
    """Their rotation is x times y times z, so that roll does not depend on yaw and pitch."""
    turned = np.eye(4)
    turned[:3, :3] = matrix(0, pitch)[:3, :3] @ matrix(yaw, 0)[:3, :3] @ about_z(roll)
    turned[2, 3] = -40
    assert head_angles(turned)[2] == pytest.approx(roll, abs=0.1)


def test_the_matrix_yaw_has_the_opposite_sign() -> None:
    turned_right_in_the_picture = matrix(-30, 0)
    assert turned_right_in_the_picture[0, 2] > 0
    assert head_angles(turned_right_in_the_picture)[0] < 0


def test_the_scale_of_the_matrix_does_not_matter() -> None:
    scaled = matrix(25, 5)
    scaled[:3, :3] *= 1.7
    assert head_angles(scaled) == pytest.approx(head_angles(matrix(25, 5)), abs=0.1)


def test_the_place_in_the_picture_is_taken_out() -> None:
    assert head_angles(matrix(0, 0, aside=20))[0] == pytest.approx(-5.4, abs=0.1)


def face(x: float, height: float = 100.0) -> Face:
    return Face(
        box=(x, 50.0, height * 0.8, height), yaw=0, pitch=0, roll=0, eyes=(0.0, 0.0), blink=0.0
    )


def times(count: int) -> list[float]:
    return [index / 5 for index in range(count)]


def test_the_speaker_is_kept_while_somebody_walks_through() -> None:
    speaker = [face(300) for _ in range(50)]
    passer = [face(20.0 * index, 80) for index in range(50)]
    seen_faces = [[passer[i], speaker[i]] if 10 <= i < 35 else [speaker[i]] for i in range(50)]
    assert follow(times(50), seen_faces) == speaker


def test_whoever_comes_first_is_not_the_speaker_for_that() -> None:
    helper = [face(600, 110) for _ in range(5)]
    speaker = [face(200) for _ in range(60)]
    seen_faces = [[one] for one in (*helper, *speaker)]
    followed = follow(times(65), seen_faces)
    assert followed[5:] == speaker


def test_the_speaker_is_found_again_after_leaving() -> None:
    here, later = [face(300) for _ in range(20)], [face(500) for _ in range(20)]
    seen_faces = [*[[one] for one in here], *[[] for _ in range(20)], *[[one] for one in later]]
    followed = follow(times(60), seen_faces)
    assert followed[:20] == here
    assert followed[20:40] == [None] * 20
    assert followed[40:] == later


def test_a_face_of_quite_another_size_is_not_the_speaker() -> None:
    seen_faces = [*[[face(300)] for _ in range(30)], *[[face(300, 30)] for _ in range(30)]]
    followed = follow(times(60), seen_faces)
    assert followed[30:] == [None] * 30


def test_nobody_to_follow() -> None:
    assert follow(times(3), [[], [], []]) == [None] * 3


def test_the_rival_is_the_largest_other_face() -> None:
    mine, other = face(300), face(10, 70)
    assert rivals([[mine, other, face(500, 40)], [mine], []], [mine, mine, None]) == [0.7, 0, 0]


def texture(seed: int = 5) -> NDArray[np.uint8]:
    """A picture with detail at many scales."""
    generator = np.random.default_rng(seed)
    total = np.zeros((540, 960))
    for side in (6, 12, 30, 60):
        small = generator.normal(0, 1, (540 // side + 1, 960 // side + 1))
        total += np.kron(small, np.ones((side, side)))[:540, :960]
    scaled = (total - total.min()) / np.ptp(total) * 255
    return np.repeat(scaled.astype(np.uint8)[:, :, None], 3, axis=2)


def shift_between(before: NDArray[np.uint8], now: NDArray[np.uint8]) -> tuple[float, float]:
    one, other = (backdrop_of(gray_of(Frame(time=0.0, rgb=rgb))) for rgb in (before, now))
    return background_shift(one, other)


@pytest.mark.parametrize(("right", "down"), [(0, 0), (10, 0), (-35, 5), (20, -15)])
def test_the_shift_of_the_background_is_found(right: int, down: int) -> None:
    still = texture()
    moved = np.roll(still, (down, right), axis=(0, 1))
    found = shift_between(still, moved)
    assert found == pytest.approx((right / 960, down / 960), abs=0.0015)


def test_a_small_luma_picture_is_the_same_with_and_without_colours(tmp_path: Path) -> None:
    path = record(tmp_path / "wide.mp4", picture=Picture(width=1280, height=720, gray=40))
    for moment in sampled_moments(path, per_second=1, max_side=960):
        made, read = gray_of(moment), gray_of(moment.look())
        assert made.shape == read.shape == (108, 192)
        assert np.abs(made - read).mean() < 0.01  # the edge of the white corner may lie beside


def test_a_low_picture_is_made_high_enough_to_be_compared(tmp_path: Path) -> None:
    path = record(tmp_path / "low.mp4", picture=Picture(width=320, height=32))
    moment = next(sampled_moments(path, per_second=1, max_side=960))
    assert gray_of(moment).shape == gray_of(moment.look()).shape == (48, 192)


def test_a_wall_without_texture_has_no_shift_to_find() -> None:
    wall = np.full((540, 960, 3), 200, dtype=np.uint8)
    assert np.isnan(shift_between(wall, wall)).all()


def test_another_scene_has_no_shift() -> None:
    assert np.isnan(shift_between(texture(1), texture(2))).all()


def test_light_and_sharpness_of_a_face() -> None:
    picture = texture()
    box = (100.0, 100.0, 200.0, 250.0)
    light, sharp = face_quality(picture, box)
    dark, still_sharp = face_quality((picture * 0.1).astype(np.uint8), box)
    assert dark < light / 5
    assert still_sharp == pytest.approx(sharp, rel=0.3)
    blurred = np.repeat(np.repeat(picture[::24, ::24], 24, axis=0), 24, axis=1)
    smooth = np.array([np.convolve(row, np.ones(40) / 40, "same") for row in blurred[:, :, 0]])
    soft = np.repeat(smooth.astype(np.uint8)[:, :, None], 3, axis=2)
    assert face_quality(soft, box)[1] < sharp


def test_there_is_less_to_see_in_an_eye_behind_a_lens_that_reflects() -> None:
    picture, box = texture(), (100.0, 100.0, 200.0, 250.0)
    eyes = ((150.0, 180.0, 40.0), (250.0, 180.0, 40.0))
    one, both = picture.copy(), picture.copy()
    one[160:200, 120:180] = 230
    both[160:200, 120:280] = 230
    assert (eye_contrast(one, box, eyes) or 0.0) > 0.3
    assert eye_contrast(both, box, eyes) == pytest.approx(0.0, abs=0.01)
    assert eye_contrast(picture, box, ()) is None
    assert eye_contrast(np.full_like(picture, 9), box, eyes) is None


@pytest.mark.parametrize(
    "box",
    [(100.0, 100.0, 200.0, 250.0), (-30.4, 20.0, 90.0, 80.0), (900.2, 480.0, 120.0, 130.0)],
)
def test_what_lies_beyond_the_picture_is_black(box: tuple[float, float, float, float]) -> None:
    picture = texture()
    left, top, width, height = box
    corners = (round(left), round(top), round(left + width), round(top + height))
    # Pillow cuts so, after a copy of the whole picture.
    crop = np.asarray(Image.fromarray(picture).crop(corners))
    whole = (0.0, 0.0, float(crop.shape[1]), float(crop.shape[0]))
    assert face_quality(picture, box) == face_quality(crop, whole)


def test_the_head_of_a_pose_is_where_nose_and_ears_are() -> None:
    region = head_region(seen.standing(1)[0])
    assert region is not None
    assert region == pytest.approx((0.5, 0.145, 0.08), abs=0.001)


def test_a_hidden_nose_gives_no_head() -> None:
    pose = seen.standing(1)[0]
    pose[0, 2] = 0.1
    assert head_region(pose) is None


@pytest.mark.parametrize(
    ("options", "spans"),
    [
        (Options(), ((0.0, None),)),
        (Options(start=60.0, end=90.0), ((60.0, 90.0),)),
        (Options(calibration=(0.0, 3.0)), ((0.0, None),)),
        (Options(start=2.0, calibration=(2.0, 5.0)), ((2.0, None),)),
        (Options(start=60.0, calibration=(0.0, 3.0)), ((0.0, 3.0), (60.0, None))),
    ],
)
def test_looking_into_the_lens_is_watched_wherever_the_talk_begins(
    options: Options, spans: tuple[tuple[float, float | None], ...]
) -> None:
    assert spans_to_watch(options) == spans


@pytest.mark.parametrize(
    ("skip", "parts"),
    [
        (set(), ("face", "pose")),
        ({"gaze"}, ("face", "pose")),
        ({"gaze", "head"}, ("pose",)),
        ({"posture", "gesture"}, ("face",)),
        ({"gaze", "head", "posture", "gesture"}, ()),
    ],
)
def test_what_a_profile_switches_off_is_not_even_looked_for(
    skip: set[str], parts: tuple[str, ...]
) -> None:
    assert parts_to_watch(frozenset(skip)) == parts
