"""A face on a poster or on a slide is nobody's: it is not followed, and hides nobody."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from analysis.backends.media.frames import Frame, sampled_frames
from analysis.backends.sight.body import no_pose
from analysis.backends.sight.face import Face
from analysis.backends.sight.prints import StillFaces
from analysis.backends.sight.series import Seen, series_of
from analysis.backends.sight.watching import watch_frames
from analysis.ports import FloatArray, Sight

PRINT, ALIVE, QUIET = 0.0004, 0.02, 0.008
"""How much faces move about their place, in their own height: a picture with the noise of a sensor,
somebody who speaks, the quietest that we saw."""
PICTURE_PX = 1280
Painter = Callable[[int], Face | None]


def person(x: float, height: float, *, moves: float, seed: int = 1, yaw: float = 0.0) -> Painter:
    """A face that stands at a place as still as is said; angles move with it."""
    random = np.random.default_rng(seed)
    jitter = random.normal(0, moves, (2000, 3))

    def at(index: int) -> Face:
        right, down, turn = jitter[index]
        box = (x + right * height, 100 + down * height, 0.8 * height, height)
        return Face(box, yaw + 70 * turn, 0.0, 0.0, (0.0, 0.0), 0.1)

    return at


def between(painter: Painter, *spans: tuple[float, float]) -> Painter:
    """The same only within these seconds."""
    return lambda index: painter(index) if any(a <= index / 5 < b for a, b in spans) else None


def watched(*painters: Painter, seconds: float = 60, body: FloatArray | None = None) -> Sight:
    seen = []
    for index in range(round(seconds * 5)):
        faces = [face for painter in painters if (face := painter(index)) is not None]
        seen.append(
            Seen(
                time=index / 5,
                faces=faces,
                face_qualities=[(0.5, 0.5)] * len(faces),
                pose=no_pose() if body is None else body,
                light=0.5,
                shift=(0.0, 0.0),
                scale=PICTURE_PX,
            )
        )
    return series_of(seen, 0.2, ("face", "pose"))


def share_at(sight: Sight, x: float, height: float) -> float:
    """Share of all samples in which the face there is followed."""
    left = sight.face_box[:, 0]
    return float((np.abs(left - x) < 0.3 * height).mean())


def test_a_poster_is_no_second_person() -> None:
    sight = watched(person(200, 250, moves=ALIVE), person(900, 240, moves=PRINT, seed=2))
    assert share_at(sight, 200, 250) == 1.0
    assert not sight.rival.any()
    assert (sight.face_count == 1).all()


def test_a_poster_is_not_followed_while_the_speaker_is_away() -> None:
    speaker = between(person(200, 250, moves=ALIVE), (0, 15), (45, 60))
    sight = watched(speaker, person(900, 240, moves=PRINT, seed=2))
    assert share_at(sight, 200, 250) == pytest.approx(0.5, abs=0.01)
    assert np.isfinite(sight.head[:, 0]).mean() == pytest.approx(0.5, abs=0.01)


def test_a_slide_with_a_large_face_does_not_take_the_place_of_a_small_speaker() -> None:
    sight = watched(person(1100, 95, moves=ALIVE), person(200, 400, moves=0.0, seed=2))
    assert share_at(sight, 1100, 95) == 1.0


def test_a_poster_that_was_lost_for_a_while_is_still_a_poster() -> None:
    speaker = between(person(200, 250, moves=ALIVE), (0, 30))
    poster = between(person(900, 240, moves=PRINT, seed=2), (0, 20), (40, 43))
    sight = watched(speaker, poster)
    assert share_at(sight, 900, 240) == 0.0


def test_somebody_who_sits_quietly_beside_somebody_lively_is_a_person() -> None:
    sight = watched(person(200, 200, moves=ALIVE), person(700, 240, moves=QUIET, seed=2))
    assert share_at(sight, 700, 240) == 1.0
    assert (sight.rival > 0.7).all()


def test_where_everything_stands_still_the_camera_hangs_and_nobody_is_left_out() -> None:
    sight = watched(person(200, 250, moves=PRINT), person(900, 180, moves=PRINT, seed=2))
    assert share_at(sight, 200, 250) == 1.0


def test_a_camera_that_hung_for_a_while_shows_the_speaker_all_the_same() -> None:
    before = between(person(200, 250, moves=ALIVE), (0, 20), (42, 60))
    hung = between(person(203, 252, moves=0.0, seed=2), (22, 40))
    assert share_at(watched(before, hung), 200, 250) == pytest.approx(56 / 60, abs=0.01)


def test_the_body_on_a_poster_does_not_stand_for_a_speaker_who_is_away() -> None:
    """Else a clear body without a face was somebody who turned away."""
    body = no_pose()
    body[:] = (980 / PICTURE_PX, 220 / PICTURE_PX, 0.99)
    speaker = between(person(200, 250, moves=ALIVE), (0, 15), (45, 60))
    sight = watched(speaker, person(900, 240, moves=PRINT, seed=2), body=body)
    assert np.isnan(sight.pose).all()


def looks(known: StillFaces, faces: Sequence[Face], count: int) -> None:
    for _ in range(count):
        known.add(faces)


def test_a_face_that_stood_still_for_a_second_and_a_half_asks_for_a_look_elsewhere() -> None:
    known, poster = StillFaces(), person(900, 240, moves=0.0)(0)
    assert poster is not None
    looks(known, [poster], 7)
    assert known.living([poster]) == [poster]
    looks(known, [poster], 1)
    assert known.living([poster]) == []
    somebody = person(200, 90, moves=0.0)(0)
    assert somebody is not None
    assert known.elsewhere([poster, somebody]) == [somebody]


def test_a_face_that_moves_never_stands_still() -> None:
    known, somebody = StillFaces(), person(200, 250, moves=QUIET)
    for index in range(300):
        face = somebody(index)
        assert face is not None
        known.add([face])
        assert known.living([face]) == [face]


@pytest.mark.usefixtures("faces")
def test_a_speaker_in_the_corner_of_a_slide_with_a_face_is_found(shared_media: Path) -> None:
    slide = Image.new("RGB", (1280, 720), (250, 250, 250))
    with Image.open(shared_media / "4_gaze/frames/lp_d8_005.00.jpg") as portrait:
        slide.paste(portrait.convert("RGB").resize((460, 460)), (150, 150))
    clip = shared_media / "3_video/lp_d10.mp4"
    frames = []
    for picture in sampled_frames(clip, per_second=5, max_side=480, end=8.0):
        screen = slide.copy()
        screen.paste(Image.fromarray(picture.rgb).resize((180, 180)), (1080, 520))
        frames.append(Frame(time=picture.time, rgb=np.asarray(screen.resize((960, 540)))))
    sight = watch_frames(frames, source_width=1280)
    later = sight.times > 3
    assert np.isfinite(sight.head[later, 0]).mean() > 0.95
    assert (sight.face_box[later, 0] > 1000).mean() > 0.95


@pytest.mark.usefixtures("faces")
def test_a_face_that_fills_more_than_the_picture_is_found(shared_media: Path) -> None:
    clip = shared_media / "3_video/lp_d10.mp4"
    frames = []
    for picture in sampled_frames(clip, per_second=5, max_side=480, end=6.0):
        near = Image.fromarray(picture.rgb).crop((60, 110, 420, 350)).resize((960, 640))
        frames.append(Frame(time=picture.time, rgb=np.asarray(near)))
    sight = watch_frames(frames, source_width=960)
    assert np.isfinite(sight.head[:, 0]).mean() > 0.8
