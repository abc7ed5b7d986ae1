"""Watch a recording once: face, eyes and pose of one person in each sampled picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Self

import numpy as np

from analysis.backends.media.frames import Frame, Moment, sampled_moments
from analysis.backends.sight.body import Region, head_region, no_pose, pose_points
from analysis.backends.sight.face import Face
from analysis.backends.sight.finder import FaceFinder, face_finder
from analysis.backends.sight.landmarkers import as_image, open_pose, quiet
from analysis.backends.sight.pace import BETWEEN, Purse, has_stirred, has_turned, paced
from analysis.backends.sight.picture import Gray, background_shift, face_quality, gray_of
from analysis.backends.sight.series import Seen, series_of
from analysis.ports import FloatArray, Options, Progress, Sight
from analysis.results import MediaInfo

SAMPLES_PER_SECOND = 5.0
"""docs/accuracy.md has the table of accuracy and cost by rate."""
LONGEST_SIDE_PX = 960
"""Enough for a face of 60 px in 720p; decoding larger costs more than it finds."""

# Under this mean luma a picture is black: a covered lens, a cut (rule of thumb).
_BLACK = 0.02
_HUSHED_PICTURES = 5
# The pose landmarker smooths over time, which at our rate takes 30 to 40 % off every movement and
# lags behind a shaking camera. Told that the pictures lie minutes apart, it does not. The numbers
# count looks and not time, for a picture between two others is looked at after them.
_UNSMOOTHED = 200_000


def watch(media_path: Path, *, media: MediaInfo, options: Options, progress: Progress) -> Sight:
    """One decode pass through the part that `options` names; raises ModelUnavailable."""
    return watch_file(
        media_path,
        source_width=media.video.width if media.video else None,
        spans=spans_to_watch(options),
        parts=parts_to_watch(options.skip),
        reads_eyes="gaze" not in options.skip,
        progress=lambda time: progress(min(1.0, time / media.duration) if media.duration else 0.0),
    )


def watch_file(
    path: Path,
    *,
    source_width: int | None = None,
    spans: Sequence[tuple[float, float | None]] = ((0.0, None),),
    parts: tuple[str, ...] = ("face", "pose"),
    reads_eyes: bool = True,
    per_second: float = SAMPLES_PER_SECOND,
    progress: Progress = lambda _time: None,
) -> Sight:
    """The same at any rate; `progress` is told the media time."""
    moments = chain.from_iterable(
        sampled_moments(
            path,
            per_second=per_second * BETWEEN,
            max_side=LONGEST_SIDE_PX,
            start=start,
            end=end,
        )
        for start, end in spans
    )
    with _Watcher(parts, source_width, reads_eyes) as watcher:
        for moment, between in paced(moments, per_second):
            watcher.take(moment.look(), between)
            progress(moment.time)
        return watcher.finish(1 / per_second)


def spans_to_watch(options: Options) -> tuple[tuple[float, float | None], ...]:
    """The part that is asked for, and before it the seconds of looking into the lens."""
    start, lens = options.start or 0.0, options.calibration
    if lens is None:
        return ((start, options.end),)
    if lens[1] >= start:
        return ((min(lens[0], start), options.end),)
    return (lens, (start, options.end))


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
    """The same for pictures that are already there, each of them looked at.

    `source_width` is the picture's own width.
    """
    with _Watcher(parts, source_width, reads_eyes) as watcher:
        for frame in frames:
            watcher.take(frame)
        return watcher.finish(1 / per_second)


@dataclass(slots=True)
class _Pending:
    """A picture whose landmarks are being looked for."""

    frame: Frame
    light: float
    shift: tuple[float, float]
    between: Moment | None
    faces: Future[tuple[list[Face], list[tuple[float, float]]]]
    pose: Future[FloatArray]


@dataclass(slots=True)
class _Watcher:
    """Runs the landmarkers beside the decoder, one picture at a time."""

    parts: tuple[str, ...]
    source_width: int | None
    reads_eyes: bool
    _seen: list[Seen] = field(default_factory=list)
    _pending: _Pending | None = None
    _gray: Gray | None = None
    _purse: Purse = field(default_factory=Purse)
    _looks: int = 0
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

    def take(self, frame: Frame, between: Moment | None = None) -> None:
        """Start on this picture; the one before is finished first.

        `between` lies before this one, and is looked at where something moved.
        """
        gray = gray_of(frame.rgb)
        shift = (np.nan, np.nan) if self._gray is None else background_shift(self._gray, gray)
        self._gray = gray
        self._collect()
        if len(self._seen) < _HUSHED_PICTURES:
            with quiet():  # the library warns once, at the first person it sees
                self._pending = self._start(frame, float(gray.mean()), shift, between)
                self._collect()
        else:
            self._pending = self._start(frame, float(gray.mean()), shift, between)

    def _start(
        self,
        frame: Frame,
        light: float,
        shift: tuple[float, float],
        between: Moment | None = None,
    ) -> _Pending:
        is_black = light < _BLACK
        self._looks += 1
        return _Pending(
            frame=frame,
            light=light,
            shift=shift,
            between=between,
            faces=self._pool.submit(self._faces_in, frame, self._region(), is_black=is_black),
            pose=self._pool.submit(self._pose_in, frame, is_black=is_black),
        )

    def finish(self, step: float) -> Sight:
        """The series of all pictures, of the one person who was followed."""
        self._collect()
        return series_of(self._seen, step, self.parts)

    def _collect(self) -> None:
        pending, self._pending = self._pending, None
        if pending is None:
            return
        self._seen.append(self._seen_in(pending))
        if pending.between is not None and len(self._seen) > 1:
            before, now = self._seen[-2:]
            if self._purse.pays(moved=_has_moved(before, now)):
                self._look_between(pending.between, before, now)

    def _look_between(self, moment: Moment, before: Seen, now: Seen) -> None:
        """Look at the picture between the last two; their background shift is shared out."""
        share = (moment.time - before.time) / (now.time - before.time)
        right, down = now.shift
        frame = moment.look()
        shift = (share * right, share * down)
        seen = self._seen_in(self._start(frame, float(gray_of(frame.rgb).mean()), shift))
        now.shift = (right - shift[0], down - shift[1])
        self._seen.insert(-1, seen)

    def _seen_in(self, pending: _Pending) -> Seen:
        faces, qualities = pending.faces.result()
        return Seen(
            time=pending.frame.time,
            faces=faces,
            face_qualities=qualities,
            pose=pending.pose.result(),
            light=pending.light,
            shift=pending.shift,
            scale=float(self.source_width or pending.frame.rgb.shape[1]),
        )

    def _faces_in(
        self, frame: Frame, region: Region | None, *, is_black: bool
    ) -> tuple[list[Face], list[tuple[float, float]]]:
        if self._finder is None or is_black:
            return [], []
        scale = (self.source_width or frame.rgb.shape[1]) / frame.rgb.shape[1]
        faces = self._finder.find(
            frame.rgb,
            self._looks,
            scale=scale,
            region=region,
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
        result = self._pose.detect_for_video(as_image(frame.rgb), self._looks * _UNSMOOTHED)
        return pose_points(result, frame.rgb.shape[1], frame.rgb.shape[0])


def _has_moved(before: Seen, now: Seen) -> bool:
    faces = [one.faces[0] if one.faces else None for one in (before, now)]
    return has_turned(faces[0], faces[1]) or has_stirred(before.pose, now.pose)
