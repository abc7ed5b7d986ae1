"""Watch a recording once: face, eyes and pose of one person in each sampled picture."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from analysis.backends.media_frames import Frame, sampled_frames
from analysis.backends.sight_face import Face, View, faces_in
from analysis.backends.sight_follow import follow, rivals
from analysis.backends.sight_models import as_image, open_face, open_pose, quiet
from analysis.backends.sight_picture import Gray, background_shift, face_quality, gray_of
from analysis.ports import POSE_POINTS, FloatArray, Options, Progress, Sight
from analysis.results import MediaInfo

SAMPLES_PER_SECOND = 5.0
"""docs/accuracy.md has the table of accuracy and cost by rate."""
LONGEST_SIDE_PX = 960
"""Enough for a face of 60 px in 720p; decoding larger costs more than it finds."""
FACES = 3

# The landmarker's numbers of the points that we keep, in the order of POSE_POINTS.
_POSE_INDICES = (0, 7, 8, 11, 12, 13, 14, 15, 16, 23, 24)
# Under this mean luma a picture is black: a covered lens, a cut (rule of thumb).
_BLACK = 0.02
# A face fills less than half of the crop in which it is looked for a second time.
_CROP_HEADS = 2.4
_CROP_PX = 256
_LEAST_HEAD_PX = 8.0
_HUSHED_PICTURES = 5
_CLEARLY_VISIBLE = 0.5


def watch(media_path: Path, *, media: MediaInfo, options: Options, progress: Progress) -> Sight:
    """One decode pass through the part that `options` names; raises ModelUnavailable."""
    frames = sampled_frames(
        media_path,
        per_second=SAMPLES_PER_SECOND,
        max_side=LONGEST_SIDE_PX,
        start=options.start,
        end=options.end,
    )
    width = media.video.width if media.video else None
    return watch_frames(
        _reporting(frames, media.duration, progress),
        source_width=width,
        parts=parts_to_watch(options.skip),
    )


def parts_to_watch(skip: frozenset[str]) -> tuple[str, ...]:
    """Which of face and pose any measure that is not switched off needs."""
    parts = []
    if not {"gaze", "head"} <= skip:
        parts.append("face")
    if not {"posture", "gesture"} <= skip:
        parts.append("pose")
    return tuple(parts)


def watch_frames(
    frames: Iterable[Frame],
    *,
    source_width: int | None = None,
    parts: tuple[str, ...] = ("face", "pose"),
    per_second: float = SAMPLES_PER_SECOND,
) -> Sight:
    """The same for pictures that are already there. `source_width` is the picture's own width."""
    with _Watcher(parts, source_width) as watcher:
        for frame in frames:
            watcher.take(frame)
        return watcher.finish(1 / per_second)


def _reporting(frames: Iterable[Frame], duration: float, progress: Progress) -> Iterable[Frame]:
    for frame in frames:
        yield frame
        progress(min(1.0, frame.time / duration) if duration > 0 else 0.0)


@dataclass(slots=True)
class _Seen:
    """Everything that is kept of one picture."""

    time: float
    faces: list[Face]
    face_qualities: list[tuple[float, float]]
    pose: FloatArray
    light: float
    shift: tuple[float, float]
    scale: float
    """Width of the picture in pixels of the source."""


@dataclass(slots=True)
class _Pending:
    """A picture whose landmarks are being looked for."""

    frame: Frame
    light: float
    shift: tuple[float, float]
    faces: Future[tuple[list[Face], list[tuple[float, float]]]]
    pose: Future[FloatArray]


@dataclass(slots=True)
class _Watcher:
    """Runs the landmarkers beside the decoder, one picture at a time."""

    parts: tuple[str, ...]
    source_width: int | None
    _seen: list[_Seen] = field(default_factory=list)
    _pending: _Pending | None = None
    _gray: Gray | None = None
    _stack: ExitStack = field(default_factory=ExitStack)
    _face: Any = None
    _close_face: Any = None
    _pose: Any = None
    _pool: Any = None

    def __enter__(self) -> Self:
        with self._stack:
            if "face" in self.parts:
                self._face = self._stack.enter_context(open_face(is_video=True, faces=FACES))
                self._close_face = self._stack.enter_context(open_face(is_video=False, faces=1))
            if "pose" in self.parts:
                self._pose = self._stack.enter_context(open_pose(is_video=True))
            self._pool = self._stack.enter_context(ThreadPoolExecutor(2))
            self._stack = self._stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def take(self, frame: Frame) -> None:
        """Start on this picture; the one before is finished first."""
        gray = gray_of(frame.rgb)
        shift = (np.nan, np.nan) if self._gray is None else background_shift(self._gray, gray)
        self._gray = gray
        self._collect()
        if len(self._seen) < _HUSHED_PICTURES:
            with quiet():  # the library warns once, at the first person it sees
                self._pending = self._start(frame, float(gray.mean()), shift)
                self._collect()
        else:
            self._pending = self._start(frame, float(gray.mean()), shift)

    def _start(self, frame: Frame, light: float, shift: tuple[float, float]) -> _Pending:
        head = _head_region(self._seen[-1]) if self._seen else None
        is_black = light < _BLACK
        return _Pending(
            frame=frame,
            light=light,
            shift=shift,
            faces=self._pool.submit(self._faces_in, frame, head, is_black=is_black),
            pose=self._pool.submit(self._pose_in, frame, is_black=is_black),
        )

    def finish(self, step: float) -> Sight:
        """The series of all pictures, of the one person who was followed."""
        self._collect()
        return _series(self._seen, step, self.parts)

    def _collect(self) -> None:
        pending, self._pending = self._pending, None
        if pending is not None:
            faces, qualities = pending.faces.result()
            self._seen.append(
                _Seen(
                    time=pending.frame.time,
                    faces=faces,
                    face_qualities=qualities,
                    pose=pending.pose.result(),
                    light=pending.light,
                    shift=pending.shift,
                    scale=float(self.source_width or pending.frame.rgb.shape[1]),
                )
            )

    def _faces_in(
        self, frame: Frame, head: tuple[float, float, float] | None, *, is_black: bool
    ) -> tuple[list[Face], list[tuple[float, float]]]:
        if self._face is None or is_black:
            return [], []
        height, width = frame.rgb.shape[:2]
        scale = (self.source_width or width) / width
        result = self._face.detect_for_video(as_image(frame.rgb), round(frame.time * 1000))
        faces = faces_in(result, View(width, height, scale))
        if not faces and head is not None:
            faces = self._look_closer(frame.rgb, head, scale)
        boxes = [tuple(side / scale for side in face.box) for face in faces]
        return faces, [face_quality(frame.rgb, box) for box in boxes]

    def _look_closer(
        self, rgb: NDArray[np.uint8], head: tuple[float, float, float], scale: float
    ) -> list[Face]:
        """Look again where the pose has a head: the detector misses small faces."""
        width = rgb.shape[1]
        side = head[2] * width * _CROP_HEADS
        if side < _LEAST_HEAD_PX * _CROP_HEADS:
            return []
        left, top = head[0] * width - side / 2, head[1] * width - side / 2
        crop = Image.fromarray(rgb).transform(
            (_CROP_PX, _CROP_PX),
            Image.Transform.AFFINE,
            (side / _CROP_PX, 0, left, 0, side / _CROP_PX, top),
            Image.Resampling.BILINEAR,
        )
        result = self._close_face.detect(as_image(np.asarray(crop)))
        to_source = scale * side / _CROP_PX
        return faces_in(result, View(_CROP_PX, _CROP_PX, to_source, left * scale, top * scale))

    def _pose_in(self, frame: Frame, *, is_black: bool) -> FloatArray:
        if self._pose is None or is_black:
            return _no_pose()
        result = self._pose.detect_for_video(as_image(frame.rgb), round(frame.time * 1000))
        return pose_points(result, frame.rgb.shape[1], frame.rgb.shape[0])


def pose_points(result: Any, width: int, height: int) -> FloatArray:
    """POSE_POINTS of the first person: x and y in picture widths, visibility (0 outside)."""
    if not result.pose_landmarks:
        return _no_pose()
    landmarks = result.pose_landmarks[0]
    rows = []
    for index in _POSE_INDICES:
        point = landmarks[index]
        is_inside = 0 <= point.x < 1 and 0 <= point.y < 1
        visibility = min(point.visibility, point.presence) if is_inside else 0.0
        rows.append((point.x, point.y * height / width, visibility))
    return np.array(rows, dtype=np.float32)


def head_region(pose: FloatArray) -> tuple[float, float, float] | None:
    """Centre and height of the head that a pose implies, in picture widths.

    A head is as high as 1.3 times the distance of the ears or half that of the shoulders,
    whichever is more: from the side the ears fall together. Rules of thumb.
    """
    nose, left_ear, right_ear, left_shoulder, right_shoulder = pose[:5]
    if not np.isfinite(nose[0]) or nose[2] < _CLEARLY_VISIBLE:
        return None
    ears = float(np.hypot(*(left_ear[:2] - right_ear[:2])))
    shoulders = float(np.hypot(*(left_shoulder[:2] - right_shoulder[:2])))
    centre = (nose[:2] + (left_ear[:2] + right_ear[:2]) / 2) / 2
    return float(centre[0]), float(centre[1]), max(1.3 * ears, 0.5 * shoulders)


def _head_region(seen: _Seen) -> tuple[float, float, float] | None:
    return head_region(seen.pose)


def _no_pose() -> FloatArray:
    return np.full((len(POSE_POINTS), 3), np.nan, dtype=np.float32)


def _series(seen: list[_Seen], step: float, parts: tuple[str, ...]) -> Sight:
    followed = follow([one.time for one in seen], [one.faces for one in seen])
    qualities = [
        one.face_qualities[one.faces.index(face)] if face is not None else (np.nan, np.nan)
        for one, face in zip(seen, followed, strict=True)
    ]
    return Sight(
        times=_column([one.time for one in seen]),
        face_count=_column([len(one.faces) if "face" in parts else np.nan for one in seen]),
        face_box=_rows([face.box if face else (np.nan,) * 4 for face in followed], 4),
        head=_rows(
            [(face.yaw, face.pitch, face.roll) if face else (np.nan,) * 3 for face in followed], 3
        ),
        eyes=_rows([face.eyes or (np.nan,) * 2 if face else (np.nan,) * 2 for face in followed], 2),
        blink=_column([face.blink if face else np.nan for face in followed]),
        pose=_poses(seen, followed),
        light=_column([one.light for one in seen]),
        sharpness=_column([sharpness for _, sharpness in qualities]),
        camera_shift=_rows([one.shift for one in seen], 2),
        rival=_column(rivals([one.faces for one in seen], followed)),
        face_light=_column([light for light, _ in qualities]),
        source_step=step,
        watched=parts,
    )


def _poses(seen: list[_Seen], followed: list[Face | None]) -> FloatArray:
    """The poses; that of somebody else than the followed person is left out."""
    rows = [
        _no_pose() if face is not None and _is_of_another(one.pose, face, one.scale) else one.pose
        for one, face in zip(seen, followed, strict=True)
    ]
    return np.array(rows, dtype=np.float32).reshape(len(seen), len(POSE_POINTS), 3)


def _is_of_another(pose: FloatArray, face: Face, px_per_width: float) -> bool:
    """Whether the pose's nose lies further from the face's middle than the face is high."""
    nose = pose[0, :2] * px_per_width
    return bool(np.hypot(nose[0] - face.centre[0], nose[1] - face.centre[1]) > face.height)


def _column(values: list[float]) -> FloatArray:
    return np.array(values, dtype=np.float32)


def _rows(values: list[Any], width: int) -> FloatArray:
    return np.array(values, dtype=np.float32).reshape(len(values), width)
