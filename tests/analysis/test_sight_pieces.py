"""A talk is watched in pieces side by side, and what is seen is the same as in one go."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import fields, replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from av import VideoFrame

from analysis.backends.media.frames import Frame, LazyFrame, Painter, sampled_frames
from analysis.backends.sight.body import no_pose
from analysis.backends.sight.face import Face, face_between
from analysis.backends.sight.finder import FaceFinder
from analysis.backends.sight.pace import is_body_still, is_face_still
from analysis.backends.sight.pieces import WatchSegment, _SegmentQueue, segments_of
from analysis.backends.sight.series import Observation, with_poses_between
from analysis.backends.sight.watcher import Watcher, WatchOptions, watcher
from analysis.backends.sight.watching import watch_file
from analysis.ports import POSE_POINTS, FloatArray, Sight
from tests.analysis import seen


def test_pieces_begin_at_fixed_times_and_are_read_from_a_little_before() -> None:
    found = segments_of([(0.0, None)], 70.0, per_second=5)
    assert found == [
        WatchSegment(0, 30, 0),
        WatchSegment(30, 60, 29.6),
        WatchSegment(60, math.inf, 59.6),
    ]


def test_each_span_begins_by_itself() -> None:
    found = segments_of([(0.0, 3.0), (12.5, 64.0)], 90.0, per_second=5)
    assert found == [
        WatchSegment(0, 3, 0),
        WatchSegment(12.5, 30, 12.5),
        WatchSegment(30, 60, 29.6),
        WatchSegment(60, 64, 59.6),
    ]


def test_a_recording_of_unknown_length_is_one_piece() -> None:
    assert segments_of([(0.0, None)], 0.0, per_second=5) == [WatchSegment(0, math.inf, 0)]


def test_who_is_done_takes_the_last_piece_of_the_longest_stretch() -> None:
    shares = _SegmentQueue.of(7, 2)
    assert [shares.claim(0) for _ in range(3)] == [0, 1, 2]
    assert [shares.claim(0), shares.claim(1), shares.claim(0)] == [6, 3, 5]
    assert [shares.claim(1), shares.claim(1), shares.claim(0)] == [4, None, None]


def body(name: str = "", *, widths: float = 0.0, clear: float = 1.0) -> FloatArray:
    """The standing person; one point moved by so many shoulder widths."""
    pose = seen.standing(1)[0]
    if name:
        place = POSE_POINTS.index(name)
        pose[place, 0] += 0.16 * widths
        pose[place, 2] *= clear
    return pose


def test_a_body_is_calm_where_no_point_of_it_moved_or_vanished() -> None:
    assert is_body_still(body(), body("right_wrist", widths=0.04))
    assert not is_body_still(body(), body("right_wrist", widths=0.1))
    assert not is_body_still(body(), body("left_hip", clear=0.5))
    assert is_body_still(body(), body("nose", widths=0.1))
    assert is_body_still(no_pose(), no_pose())
    assert not is_body_still(no_pose(), body())


def test_a_body_that_was_not_looked_at_stands_between_its_neighbours() -> None:
    def picture(time: float, pose: FloatArray | None) -> Observation:
        return Observation(time, [], [], pose, 0.5, (0.0, 0.0), 1280.0)

    last = body("left_wrist", widths=0.04)
    pictures = [picture(0.0, body()), picture(0.1, None), picture(0.4, last), picture(0.6, last)]
    filled = with_poses_between(pictures)
    assert filled[1].pose is not None
    assert filled[1].pose == pytest.approx(0.75 * body() + 0.25 * last, abs=1e-6)
    nobody = with_poses_between(
        [picture(0.0, no_pose()), picture(0.2, None), picture(0.4, no_pose())]
    )
    assert nobody[1].pose is not None
    assert np.isnan(nobody[1].pose).all()


def face(**changed: float) -> Face:
    """Looks straight ahead with open eyes."""
    angles = {name: changed.get(name, 0.0) for name in ("yaw", "pitch", "roll")}
    eyes = (changed.get("side", 0.0), changed.get("up", 0.0))
    box = (changed.get("left", 0.0), 0.0, 100.0, changed.get("height", 120.0))
    return Face(box, **angles, eyes=eyes, blink=changed.get("blink", 0.1))


@pytest.mark.parametrize(
    "changed", [{"yaw": 1.5}, {"pitch": -1.5}, {"roll": 1.5}, {"side": 2.5}, {"left": 10.0}]
)
def test_a_face_holds_still_within_what_is_read_of_still_ones(changed: dict[str, float]) -> None:
    assert is_face_still([face()], [face(**changed)])
    assert not is_face_still([face()], [face(**{name: 2 * by for name, by in changed.items()})])


def test_a_face_that_blinks_comes_goes_or_has_company_is_looked_at() -> None:
    assert not is_face_still([face()], [face(blink=0.6)])
    assert not is_face_still([face()], [])
    assert not is_face_still([], [])
    assert not is_face_still([face()], [face(), face(left=300)])
    assert not is_face_still([face()], [replace(face(), eyes=None)])
    unread = replace(face(), eyes=None, blink=math.nan)
    assert is_face_still([unread], [unread])


def test_a_face_that_was_not_looked_at_is_where_it_was_before_and_after() -> None:
    found = face_between(face(yaw=-1, side=2, left=4), face(yaw=1, side=0, left=8), 0.25)
    assert found == replace(face(yaw=-0.5, side=1.5, left=5), blink=pytest.approx(0.1))
    assert face_between(replace(face(), eyes=None), face(), 0.5).eyes is None


@pytest.mark.usefixtures("faces")
def test_a_face_that_holds_still_is_looked_at_half_as_often_and_read_the_same(
    shared_media: Path,
) -> None:
    def watched(*, spares_still: bool) -> tuple[list[Face], int]:
        path = shared_media / "3_video/lp_s18.mp4"
        with watcher(WatchOptions(parts=("face",), spares_still=spares_still)) as one:
            one.begin_piece(is_first=True)
            for frame in sampled_frames(path, per_second=5, max_side=640):
                one.take(frame)
            return [each.faces[0] for each in one.finish()], one._face_looks

    (spared, looks), (whole, pictures) = (watched(spares_still=it) for it in (True, False))
    assert len(spared) == len(whole) == pictures
    assert looks < 0.65 * pictures
    turned = [
        math.hypot(a.yaw - b.yaw, a.pitch - b.pitch) for a, b in zip(spared, whole, strict=True)
    ]
    assert max(turned) < 4
    assert np.median(turned) < 1


class OneFace:
    """Finds one face that looks ahead, and turns aside once."""

    beside, sees_movement = None, True

    def __init__(self, aside: float) -> None:
        self.aside, self.looks = aside, 0

    def find(self, rgb: np.ndarray, _stamp: int, *, scale: float, region: object) -> list[Face]:
        """The picture says in its first pixel when it was taken, in tenths of a second."""
        self.looks += 1
        return [face(yaw=40.0 if rgb[0, 0, 0] == round(10 * self.aside) else 0.0)]

    def living(self, faces: Sequence[Face]) -> list[Face]:
        return list(faces)


def seen_of(
    times: Sequence[float], *, aside: float, black: float = -1.0
) -> tuple[list[Observation], int]:
    finder = OneFace(aside)
    one = Watcher(
        WatchOptions(parts=("face",)), cast("FaceFinder", finder), None, None, ExitStack()
    )
    for time in times:
        rgb = np.full((54, 96, 3), 0 if time == black else 120, dtype=np.uint8)
        rgb[0, 0, 0] = round(10 * time)
        one.take(Frame(time=time, rgb=rgb))
    return one.finish(), finder.looks


class Painting:
    """Makes a plain picture of anything, and counts those in colour."""

    painted = 0

    def paint(self, _picture: VideoFrame) -> np.ndarray:
        self.painted += 1
        return np.full((54, 96, 3), 120, dtype=np.uint8)

    def luma(self, _picture: VideoFrame, width: int, least_height: int) -> np.ndarray:
        return np.full((least_height, width), 120, dtype=np.uint8)


def test_a_picture_that_nobody_looks_at_is_not_made_in_colour() -> None:
    painting, finder = Painting(), OneFace(aside=99)
    one = Watcher(
        WatchOptions(parts=("face",), source_width=96),
        cast("FaceFinder", finder),
        None,
        None,
        ExitStack(),
    )
    for at in range(21):
        picture = VideoFrame(2, 2, "rgb24")
        one.take(LazyFrame(time=0.2 * at, picture=picture, painter=cast("Painter", painting)))
    assert len(one.finish()) == 21
    assert painting.painted == finder.looks < 14


def test_of_what_lies_far_apart_nothing_is_taken_to_be_still() -> None:
    near, looks = seen_of([0.2 * at for at in range(21)], aside=9.9)
    assert len(near) == 21
    assert looks < 14
    slow, looks = seen_of([1.0 * at for at in range(9)], aside=5.0)
    assert [each.faces[0].yaw for each in slow] == [0, 0, 0, 0, 0, 40, 0, 0, 0]
    assert looks == 9
    paused, _ = seen_of([0.0, 0.2, 0.4, 0.6, 0.8, 20.8, 21.0, 21.2], aside=20.8)
    assert paused[5].faces[0].yaw == 40


def test_there_is_no_face_in_a_black_picture_between_two_still_ones() -> None:
    for black in (1.0, 1.2):
        found, _ = seen_of([round(0.2 * at, 1) for at in range(12)], aside=9.9, black=black)
        assert [each.time for each in found if not each.faces] == [black]


def assert_same(one: Sight, other: Sight) -> None:
    """Byte by byte."""
    for item in fields(one):
        left, right = getattr(one, item.name), getattr(other, item.name)
        if isinstance(left, np.ndarray):
            assert left.tobytes() == right.tobytes(), item.name
        else:
            assert left == right


@pytest.mark.usefixtures("faces")
def test_any_number_of_cores_sees_the_same_and_the_joins_do_not_show(shared_media: Path) -> None:
    path = shared_media / "3_video/lp_d18.mp4"
    alone = watch_file(path, duration=7.2, piece_seconds=2.0)
    assert_same(alone, watch_file(path, duration=7.2, piece_seconds=2.0, cores=3))
    assert_same(alone, watch_file(path, duration=7.2, piece_seconds=2.0, cores=5))
    whole = watch_file(path)
    assert alone.times.tolist() == whole.times.tolist()
    assert np.isfinite(alone.head).all()
    assert np.abs(alone.head - whole.head).max() < 1.5
    assert np.abs(alone.face_box - whole.face_box).max() < 6
    assert np.nanmax(np.abs(alone.camera_shift - whole.camera_shift)) < 0.002


@pytest.mark.usefixtures("faces")
@pytest.mark.parametrize("name", ["vp9.webm", "fragmented.mp4", "mjpeg.avi"])
def test_whatever_kind_of_file(shared_media: Path, name: str) -> None:
    path = shared_media / "5_hostile/generated" / name
    alone, together = (
        watch_file(path, duration=8.0, piece_seconds=3.0, parts=("face",), cores=cores)
        for cores in (1, 3)
    )
    assert len(alone.times) >= 39
    assert_same(alone, together)


@pytest.mark.usefixtures("faces")
def test_who_is_told_how_far_it_is_can_end_it(shared_media: Path) -> None:
    def enough(_seconds: float) -> None:
        raise TimeoutError

    path = shared_media / "3_video/lp_d18.mp4"
    with pytest.raises(TimeoutError):
        watch_file(path, duration=7.2, piece_seconds=2.0, cores=3, progress=enough)
