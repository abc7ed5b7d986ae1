"""Watch a recording once: face, eyes and pose of one person in each sampled picture."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np

from analysis.backends.media_frames import Frame, sampled_frames
from analysis.backends.sight_body import Region, head_region, no_pose, pose_points
from analysis.backends.sight_face import Face
from analysis.backends.sight_finder import FaceFinder, face_finder
from analysis.backends.sight_follow import follow, rivals
from analysis.backends.sight_models import as_image, open_pose, quiet
from analysis.backends.sight_picture import Gray, background_shift, face_quality, gray_of
from analysis.ports import POSE_POINTS, FloatArray, Options, Progress, Sight
from analysis.results import MediaInfo

SAMPLES_PER_SECOND = 5.0
"""docs/accuracy.md has the table of accuracy and cost by rate."""
LONGEST_SIDE_PX = 960
"""Enough for a face of 60 px in 720p; decoding larger costs more than it finds."""

# Under this mean luma a picture is black: a covered lens, a cut (rule of thumb).
_BLACK = 0.02
_HUSHED_PICTURES = 5
# The pose landmarker smooths over time, which at our rate takes 30 to 40 % off every movement and
# lags behind a shaking camera. Told that the pictures lie far apart, it does not.
_UNSMOOTHED = 1000
# How often a picture without face and body is searched tile by tile.
_SEARCH_EVERY = 10


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
        reads_eyes="gaze" not in options.skip,
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
    reads_eyes: bool = True,
) -> Sight:
    """The same for pictures that are already there. `source_width` is the picture's own width."""
    with _Watcher(parts, source_width, reads_eyes) as watcher:
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
    reads_eyes: bool
    _seen: list[_Seen] = field(default_factory=list)
    _pending: _Pending | None = None
    _gray: Gray | None = None
    _stack: ExitStack = field(default_factory=ExitStack)
    _finder: FaceFinder | None = None
    _pose: Any = None
    _pool: Any = None

    def __enter__(self) -> Self:
        with self._stack:
            if "face" in self.parts:
                self._finder = self._stack.enter_context(face_finder(reads_eyes=self.reads_eyes))
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
        is_black = light < _BLACK
        return _Pending(
            frame=frame,
            light=light,
            shift=shift,
            faces=self._pool.submit(self._faces_in, frame, self._region(), is_black=is_black),
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
        self, frame: Frame, region: Region | None, *, is_black: bool
    ) -> tuple[list[Face], list[tuple[float, float]]]:
        if self._finder is None or is_black:
            return [], []
        scale = (self.source_width or frame.rgb.shape[1]) / frame.rgb.shape[1]
        faces = self._finder.find(
            frame.rgb,
            round(frame.time * 1000),
            scale=scale,
            region=region,
            may_search=len(self._seen) % _SEARCH_EVERY == 0,
        )
        boxes = [
            (x / scale, y / scale, w / scale, h / scale)
            for x, y, w, h in (face.box for face in faces)
        ]
        return faces, [face_quality(frame.rgb, box) for box in boxes]

    def _region(self) -> Region | None:
        """Where a face is likely, from the picture before: its own place, or the body's head."""
        if not self._seen:
            return None
        last = self._seen[-1]
        if last.faces:
            face = last.faces[0]
            x, y = face.centre
            return x / last.scale, y / last.scale, face.height / last.scale
        return head_region(last.pose)

    def _pose_in(self, frame: Frame, *, is_black: bool) -> FloatArray:
        if self._pose is None or is_black:
            return no_pose()
        stamp = round(frame.time * 1000) * _UNSMOOTHED
        result = self._pose.detect_for_video(as_image(frame.rgb), stamp)
        return pose_points(result, frame.rgb.shape[1], frame.rgb.shape[0])


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
        no_pose() if face is not None and _is_of_another(one.pose, face, one.scale) else one.pose
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
