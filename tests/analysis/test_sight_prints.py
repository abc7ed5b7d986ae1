"""A face on a poster or on a slide is nobody's: it is not followed, and hides nobody."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

from analysis.backends.media.frames import Frame, RgbArray, sampled_frames
from analysis.backends.sight.body import no_pose
from analysis.backends.sight.face import Face
from analysis.backends.sight.finder import FaceFinder
from analysis.backends.sight.marks import FaceDetections, FaceLandmarks
from analysis.backends.sight.prints import StillFaces
from analysis.backends.sight.series import Observation, series_of
from analysis.backends.sight.watcher import Watcher, WatchOptions
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
            Observation(
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


def test_a_slide_with_a_large_face_that_is_shown_for_a_few_seconds_is_a_picture() -> None:
    speaker, slide = person(1100, 95, moves=ALIVE), person(200, 400, moves=0.0, seed=2)
    sight = watched(speaker, between(slide, (3, 7)), seconds=8)
    assert share_at(sight, 1100, 95) == 1.0


def test_somebody_who_holds_still_for_a_few_seconds_is_no_picture() -> None:
    quiet = between(person(700, 240, moves=QUIET / 2, seed=2), (3, 7))
    sight = watched(person(200, 200, moves=ALIVE), quiet, seconds=8)
    assert (sight.face_count == 2).mean() == pytest.approx(0.5)


class Squares:
    """Finds bright squares as landmarkers find faces: none that is small in its picture."""

    def __init__(self, least_share: float) -> None:
        self.least_share, self.looks = least_share, 0

    def detect(self, picture: Any) -> FaceDetections:
        self.looks += 1
        image = picture.numpy_view()
        labels, _count = ndimage.label(image[..., 0] > 128)
        height, width = labels.shape
        boxes = [
            (rows.start / height, rows.stop / height, columns.start / width, columns.stop / width)
            for rows, columns in ndimage.find_objects(labels)
        ]
        whole = [box for box in boxes if min(box) > 0 and max(box) < 1]
        large = [box for box in whole if box[1] - box[0] >= self.least_share]
        return FaceDetections(tuple(self._marks(*box) for box in large))

    def detect_for_video(self, picture: Any, _stamp: int) -> FaceDetections:
        return self.detect(picture)

    def _marks(self, top: float, bottom: float, left: float, right: float) -> FaceLandmarks:
        points = np.full((478, 3), ((left + right) / 2, (top + bottom) / 2, 0.0))
        points[:2, 0], points[:2, 1] = (left, right), (top, bottom)
        points[[33, 133, 468, 263, 362, 473], 0] += np.array([-3, -1, -2, 3, 1, 2]) / 1000
        matrix = np.eye(4)
        matrix[:3, 3] = 0, 0, -40
        return FaceLandmarks(points=points, matrix=matrix, scores=defaultdict(float))


def screen(index: int, *, speaker: bool = True, portrait: bool = True) -> RgbArray:
    """A speaker of 80 px who moves, in the corner of a slide with a portrait of 300 px."""
    rgb = np.full((540, 960, 3), 60, dtype=np.uint8)
    if portrait:
        rgb[120:420, 100:400] = 255
    if speaker:
        aside = (0, 4, 9, 5)[index % 4]
        rgb[440:520, 860 + aside : 940 + aside] = 255
    return rgb


def seen_in(pictures: Sequence[RgbArray], *, spares_still: bool) -> Sight:
    finder = FaceFinder(Squares(0.3), Squares(0.2), reads_eyes=False)
    looking = WatchOptions(parts=("face",), spares_still=spares_still)
    one = Watcher(looking, finder, None, None, ExitStack())
    one.begin_piece(is_first=True)
    for index, rgb in enumerate(pictures):
        one.take(Frame(time=index / 5, rgb=rgb))
    return series_of(one.finish(), 0.2, ("face",))


@pytest.mark.parametrize("spares_still", [True, False])
def test_who_is_found_beside_a_portrait_was_there_from_the_beginning(*, spares_still: bool) -> None:
    """The detector sees the portrait alone, and tells only after a while that it is one."""
    sight = seen_in([screen(index) for index in range(40)], spares_still=spares_still)
    assert (np.abs(sight.face_box[:, 0] - 865) < 10).all()


@pytest.mark.parametrize("spares_still", [True, False])
def test_who_comes_into_view_beside_a_portrait_was_not_there_before(*, spares_still: bool) -> None:
    pictures = [screen(index, speaker=index >= 6) for index in range(60)]
    sight = seen_in(pictures, spares_still=spares_still)
    assert np.flatnonzero(np.isfinite(sight.face_box[:, 0])).tolist() == list(range(6, 60))
    assert (sight.face_box[6:, 0] > 800).all()


@pytest.mark.parametrize("spares_still", [True, False])
def test_a_portrait_on_the_next_slide_takes_nobodys_place(*, spares_still: bool) -> None:
    pictures = [screen(index, portrait=index >= 20) for index in range(60)]
    sight = seen_in(pictures, spares_still=spares_still)
    assert (np.abs(sight.face_box[:, 0] - 865) < 10).all()


def slides(
    shared_media: Path, live: str, portrait: str, *, side: int, shown_from: float
) -> list[Frame]:
    """A live face in the corner of a slide, on which a portrait is shown from some time on."""
    empty = Image.new("RGB", (1280, 720), (250, 250, 250))
    slide = empty.copy()
    still = next(sampled_frames(shared_media / portrait, per_second=5, max_side=512))
    slide.paste(Image.fromarray(still.rgb).resize((512, 512)), (100, 104))
    frames = []
    for picture in sampled_frames(shared_media / live, per_second=5, max_side=480, end=8.0):
        shown = (slide if picture.time >= shown_from else empty).copy()
        shown.paste(Image.fromarray(picture.rgb).resize((side, side)), (1270 - side, 710 - side))
        frames.append(Frame(time=picture.time, rgb=np.asarray(shown.resize((960, 540)))))
    return frames


@pytest.mark.usefixtures("faces")
@pytest.mark.parametrize(
    ("live", "portrait", "side", "shown_from"),
    [
        ("3_video/lp_d10.mp4", "3_video/hdtf_Markey.mp4", 180, 0.0),
        ("3_video/hdtf_Markey.mp4", "3_video/lp_d10.mp4", 150, 0.0),
        ("3_video/lp_d10.mp4", "3_video/hdtf_Markey.mp4", 180, 3.0),
    ],
)
def test_a_speaker_in_the_corner_of_a_slide_with_a_face_is_followed_from_the_beginning(
    shared_media: Path, live: str, portrait: str, side: int, shown_from: float
) -> None:
    frames = slides(shared_media, live, portrait, side=side, shown_from=shown_from)
    sight = watch_frames(frames, source_width=1280)
    assert (sight.face_box[:, 0] > 1000).mean() > 0.97
    assert sight.face_box[0, 0] > 1000


@pytest.mark.usefixtures("faces")
def test_a_face_that_fills_more_than_the_picture_is_found(shared_media: Path) -> None:
    clip = shared_media / "3_video/lp_d10.mp4"
    frames = []
    for picture in sampled_frames(clip, per_second=5, max_side=480, end=6.0):
        near = Image.fromarray(picture.rgb).crop((60, 110, 420, 350)).resize((960, 640))
        frames.append(Frame(time=picture.time, rgb=np.asarray(near)))
    sight = watch_frames(frames, source_width=960)
    assert np.isfinite(sight.head[:, 0]).mean() > 0.8
