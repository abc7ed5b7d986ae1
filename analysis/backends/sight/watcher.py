"""Watcher: runs the landmarkers over consecutive pictures, and skips every second one while nothing
moves.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from analysis.backends.media.frames import Frame, LazyFrame, RgbArray
from analysis.backends.media.memory import give_back_freed
from analysis.backends.sight.body import Region, head_region, no_pose, pose_points
from analysis.backends.sight.face import Face, face_between
from analysis.backends.sight.finder import FaceFinder, face_finder
from analysis.backends.sight.landmarkers import as_image, open_pose, silenced_stderr
from analysis.backends.sight.pace import (
    TokenBucket,
    has_turned,
    has_wrist_moved,
    is_body_still,
    is_close_in_time,
    is_face_still,
)
from analysis.backends.sight.picture import (
    Backdrop,
    Box,
    backdrop_of,
    background_shift,
    eye_contrast,
    face_quality,
    gray_of,
)
from analysis.backends.sight.series import Observation, with_poses_between
from analysis.ports import FloatArray

# Mean luma below which a picture is black: a covered lens or a cut (rule of thumb).
_BLACK = 0.02
_HUSHED_PICTURES = 5
# Pictures searched backwards for a person found next to a still face: twice the number needed to
# recognise it, since every second picture is skipped while nothing moves.
_PICTURES_BACK = 24
# The pose landmarker smooths over time, which at our rate removes 30 to 40% of every movement and
# lags behind a shaking camera. With time stamps minutes apart it does not. The stamps count
# examined pictures, not time, because extra pictures are examined after their successors.
_UNSMOOTHED = 200_000
_NOTHING = np.zeros((128, 128, 3), dtype=np.uint8)


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchOptions:
    """Options for watching. `source_width` is the width of the recording's own picture."""

    parts: tuple[str, ...] = ("face", "pose")
    source_width: int | None = None
    reads_eyes: bool = True
    spares_still: bool = True
    """Whether a motionless face or body is examined only in every second picture."""
    has_helper: bool = False
    """Whether a second thread examines the body while this one examines faces."""


@dataclass(slots=True)
class _SampledPicture:
    """Picture to examine, with its values that need no model."""

    moment: Frame | LazyFrame
    light: float
    shift: tuple[float, float]
    between: LazyFrame | None = None
    _frame: Frame | None = None

    @property
    def time(self) -> float:
        return self.moment.time

    @property
    def is_black(self) -> bool:
        return self.light < _BLACK

    def rgb(self) -> RgbArray:
        """Return the picture in colour; converted at the first call, by one thread."""
        self._frame = self._frame or self.moment.look()
        return self._frame.rgb


@contextmanager
def watcher(looking: WatchOptions) -> Iterator[Watcher]:
    """Yield a watcher with open landmarkers. Raises ModelUnavailable."""
    with ExitStack() as stack:
        finder = pose = helper = None
        opened = stack.enter_context(ExitStack())
        if "face" in looking.parts:
            finder = stack.enter_context(face_finder(reads_eyes=looking.reads_eyes))
        if "pose" in looking.parts:
            pose = opened.enter_context(open_pose(is_video=True))
        if looking.has_helper:
            helper = stack.enter_context(ThreadPoolExecutor(1))
        yield Watcher(looking, finder, pose, helper, opened)


@dataclass(slots=True)
class Watcher:
    """Runner of the landmarkers over consecutive pictures."""

    _looking: WatchOptions
    _finder: FaceFinder | None
    _pose: Any
    _helper: ThreadPoolExecutor | None
    _opened: ExitStack
    """Exit stack that closes the pose landmarker."""
    _seen: list[Observation] = field(default_factory=list)
    _waiting: _SampledPicture | None = None
    _backdrop: Backdrop | None = None
    _body: FloatArray = field(default_factory=no_pose)
    _is_still: bool = False
    """Whether the face was still over the last two pictures."""
    _spare_looks: TokenBucket = field(default_factory=TokenBucket)
    _face_looks: int = 0
    _pose_looks: int = 0
    _unsure: deque[tuple[Observation, Callable[[], RgbArray]]] = field(
        default_factory=lambda: deque(maxlen=_PICTURES_BACK)
    )
    """The last pictures without a moving person."""

    def begin_piece(self, *, is_first: bool) -> None:
        """Reset all state, landmarkers included, at the start of a segment.

        Faces are reset with an empty picture. The pose landmarker remembers the visibility of each
        point, even without a body, so it is reopened.
        """
        if self._finder is not None:
            if self._seen:
                self._face_looks += 1
                self._finder.forget(_NOTHING, self._face_looks)
            self._finder.begin(is_first=is_first)
        if self._pose is not None and self._pose_looks:
            self._opened.close()
            give_back_freed()
            self._pose, self._pose_looks = self._opened.enter_context(open_pose(is_video=True)), 0
        self._seen, self._waiting, self._backdrop = [], None, None
        self._body, self._spare_looks = no_pose(), TokenBucket()
        self._is_still = False
        self._unsure.clear()

    def take(self, moment: Frame | LazyFrame, between: LazyFrame | None = None) -> None:
        """Examine this picture, or wait for the next one to see whether anything moved.

        `between` precedes this picture, and is examined if something moved.
        """
        picture = self._picture(moment, between)
        with silenced_stderr() if len(self._seen) < _HUSHED_PICTURES else nullcontext():
            # The libraries warn once, at the first person.
            if not self._seen or not self._looking.spares_still:
                self._look_at(picture)
            elif self._waiting is None:
                self._waiting = picture
            else:
                waiting, self._waiting = self._waiting, None
                if is_close_in_time(self._seen[-1].time, picture.time) and not waiting.is_black:
                    self._look_at_both(waiting, picture)
                else:
                    self._look_at(waiting)
                    self._look_at(picture)
                    self._is_still = False

    def take_alone(self, frame: Frame) -> Observation:
        """Examine one picture independently of the previous ones.

        Only valid without `spares_still`.
        """
        if self._finder is not None and self._face_looks:
            self._face_looks += 1
            self._finder.forget(_NOTHING, self._face_looks)
        self._backdrop = None
        self._unsure.clear()
        self.take(frame)
        return self._seen.pop()

    def finish(self) -> list[Observation]:
        """Return all observations in time order."""
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            self._look_at(waiting)
        return with_poses_between(self._seen)

    def _picture(self, moment: Frame | LazyFrame, between: LazyFrame | None) -> _SampledPicture:
        gray = gray_of(moment)
        before, now = self._backdrop, backdrop_of(gray)
        shift = (np.nan, np.nan) if before is None else background_shift(before, now)
        self._backdrop = now
        return _SampledPicture(moment, float(gray.mean()), shift, between)

    def _look_at(self, picture: _SampledPicture) -> None:
        body = self._submit(picture)
        seen = self._faces_of(picture)
        seen.pose = self._body = body.result()
        self._seen.append(seen)
        self._look_between(picture.between, len(self._seen) - 1, with_body=True)

    def _look_at_both(self, middle: _SampledPicture, last: _SampledPicture) -> None:
        """Examine two consecutive pictures; in the first, face and body only if they moved."""
        before = self._body
        body = self._submit(last)
        place = len(self._seen)
        self._find_faces(middle, last)
        self._seen[-1].pose = self._body = body.result()
        moved = not is_body_still(before, self._body)
        if moved:
            self._seen[-2].pose = self._pose_in(middle)
        more = self._look_between(middle.between, place, with_body=moved)
        self._look_between(last.between, place + 1 + more, with_body=moved)

    def _find_faces(self, middle: _SampledPicture, last: _SampledPicture) -> None:
        """Find the faces in two pictures; a face that was still is searched in the second one
        first.
        """
        before, was_still = self._seen[-1], self._is_still
        if not was_still:
            self._seen.append(self._faces_of(middle))
        behind = self._faces_of(last)
        self._is_still = is_face_still(before.faces, behind.faces)
        if was_still and self._is_still:
            self._seen.append(self._still_at(middle, before, behind))
            if self._unsure:
                self._unsure.append((self._seen[-1], middle.rgb))
        elif was_still:
            self._seen.append(self._faces_of(middle))
        self._seen.append(behind)

    def _still_at(
        self, picture: _SampledPicture, before: Observation, behind: Observation
    ) -> Observation:
        """Return the interpolated observation of a picture in which the face was not searched."""
        time = picture.time
        share = (time - before.time) / (behind.time - before.time)
        [one], [other] = before.faces, behind.faces
        [(light, sharpness)], [(lighter, sharper)] = before.face_qualities, behind.face_qualities
        return Observation(
            time=time,
            faces=[face_between(one, other, share)],
            face_qualities=[
                (light + share * (lighter - light), sharpness + share * (sharper - sharpness))
            ],
            pose=None,
            light=picture.light,
            shift=picture.shift,
            scale=before.scale,
        )

    def _look_between(self, moment: LazyFrame | None, place: int, *, with_body: bool) -> int:
        """Examine the extra picture before the one at `place` if something moved; return the number
        added.

        The background shift is divided between the two.
        """
        if moment is None or place == 0:
            return 0
        before, now = self._seen[place - 1 : place + 1]
        if not self._spare_looks.takes(moved=_has_moved(before, now)):
            return 0
        share = (moment.time - before.time) / (now.time - before.time)
        right, down = now.shift
        shift = (share * right, share * down)
        picture = _SampledPicture(moment, float(gray_of(moment).mean()), shift)
        body = self._submit(picture) if with_body else None
        seen = self._faces_of(picture)
        seen.pose = body.result() if body else None
        now.shift = (right - shift[0], down - shift[1])
        self._seen.insert(place, seen)
        return 1

    def _submit(self, picture: _SampledPicture) -> Future[FloatArray]:
        """Start the search for the body: on the helper thread if there is
        one, otherwise at once.
        """
        if self._helper is not None:
            picture.rgb()  # converted here, since the converter is not thread-safe
            return self._helper.submit(self._pose_in, picture)
        done: Future[FloatArray] = Future()
        done.set_result(self._pose_in(picture))
        return done

    def _faces_of(self, picture: _SampledPicture) -> Observation:
        faces, qualities = self._faces_in(picture)
        seen = Observation(
            time=picture.time,
            faces=faces,
            face_qualities=qualities,
            pose=None,
            light=picture.light,
            shift=picture.shift,
            scale=float(self._looking.source_width or picture.rgb().shape[1]),
        )
        if self._finder is not None and not picture.is_black:
            self._look_back(seen, picture.rgb(), self._finder)
        return seen

    def _look_back(self, seen: Observation, rgb: RgbArray, finder: FaceFinder) -> None:
        """Trace a person found next to a still face back to where they came into view."""
        face = finder.beside
        if face is None:
            if finder.sees_movement:
                self._unsure.clear()
            self._unsure.append((seen, lambda: rgb))
            return
        scale = seen.scale / rgb.shape[1]
        for earlier, picture in sorted(self._unsure, key=lambda one: -one[0].time):
            if earlier.time > seen.time:
                continue
            face = finder.find_again(picture(), face, earlier.faces, scale)
            if face is None:
                break
            earlier.faces.append(_with_eye_contrast(face, picture(), scale))
            earlier.face_qualities.append(face_quality(picture(), _scaled(face.box, scale)))
        self._unsure.clear()

    def _faces_in(self, picture: _SampledPicture) -> tuple[list[Face], list[tuple[float, float]]]:
        if self._finder is None or picture.is_black:
            return [], []
        rgb = picture.rgb()
        self._face_looks += 1
        scale = (self._looking.source_width or rgb.shape[1]) / rgb.shape[1]
        faces = self._finder.find(rgb, self._face_looks, scale=scale, region=self._region())
        found = [_with_eye_contrast(face, rgb, scale) for face in faces]
        return found, [face_quality(rgb, _scaled(face.box, scale)) for face in faces]

    def _region(self) -> Region | None:
        """Return the likely region of a face: its last position, or the head of the body."""
        if not self._seen:
            return None
        last = self._seen[-1]
        living = self._finder.living(last.faces) if self._finder is not None else []
        if living:
            face = living[0]
            x, y = face.centre
            return x / last.scale, y / last.scale, face.height / last.scale
        return head_region(self._body)

    def _pose_in(self, picture: _SampledPicture) -> FloatArray:
        if self._pose is None or picture.is_black:
            return no_pose()
        self._pose_looks += 1
        rgb = picture.rgb()
        result = self._pose.detect_for_video(as_image(rgb), self._pose_looks * _UNSMOOTHED)
        return pose_points(result, rgb.shape[1], rgb.shape[0])


def _scaled(box: Box, scale: float) -> Box:
    left, top, width, height = box
    return left / scale, top / scale, width / scale, height / scale


def _with_eye_contrast(face: Face, rgb: RgbArray, scale: float) -> Face:
    eyes = [(x / scale, y / scale, width / scale) for x, y, width in face.eyes_at]
    return replace(face, eye_contrast=eye_contrast(rgb, _scaled(face.box, scale), eyes))


def _has_moved(before: Observation, now: Observation) -> bool:
    faces = [one.faces[0] if one.faces else None for one in (before, now)]
    if has_turned(faces[0], faces[1]):
        return True
    return (
        before.pose is not None and now.pose is not None and has_wrist_moved(before.pose, now.pose)
    )
