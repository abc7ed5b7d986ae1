"""Talks as they would have been seen, built sample by sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.ports import POSE_POINTS, FloatArray, Options, Sight, Span
from analysis.results import AudioInfo, Language, MediaInfo, Reason, Skipped, VideoInfo
from analysis.talk.talk import Talk

WIDTH, HEIGHT = 1280, 720
ANGLES = Callable[[FloatArray], FloatArray]

# A person seen to the hips, arms hanging with bent elbows, in picture widths.
STANDING: Mapping[str, tuple[float, float]] = {
    "nose": (0.50, 0.15),
    "left_ear": (0.53, 0.14),
    "right_ear": (0.47, 0.14),
    "left_shoulder": (0.58, 0.26),
    "right_shoulder": (0.42, 0.26),
    "left_elbow": (0.60, 0.38),
    "right_elbow": (0.40, 0.38),
    "left_wrist": (0.56, 0.46),
    "right_wrist": (0.44, 0.46),
    "left_hip": (0.55, 0.52),
    "right_hip": (0.45, 0.52),
}


def flat(value: float) -> ANGLES:
    """The same angle all the time."""
    return lambda times: np.full(len(times), value, dtype=np.float32)


def away_between(*spans: Span, angle: float, else_: float = 0.0) -> ANGLES:
    """One angle inside the spans, another outside."""

    def angles(times: FloatArray) -> FloatArray:
        inside = np.zeros(len(times), dtype=bool)
        for start, end in spans:
            inside |= (times >= start) & (times < end)
        return np.where(inside, angle, else_).astype(np.float32)

    return angles


def sight(
    seconds: float = 60.0,
    *,
    per_second: float = 5.0,
    yaw: ANGLES | None = None,
    pitch: ANGLES | None = None,
    eye_yaw: ANGLES | None = None,
    eye_pitch: ANGLES | None = None,
    face_px: float = 200.0,
    noise: float = 1.0,
) -> Sight:
    """One person who faces the camera unless told otherwise, with a little noise."""
    times = np.arange(0, seconds, 1 / per_second, dtype=np.float32)
    count = len(times)
    generator = np.random.default_rng(3)
    jitter = generator.normal(0, noise, (count, 2)).astype(np.float32)
    zero = flat(0.0)
    head = np.column_stack(
        [
            (yaw or zero)(times) + jitter[:, 0],
            (pitch or zero)(times) + jitter[:, 1],
            np.zeros(count),
        ]
    ).astype(np.float32)
    eyes = np.column_stack([(eye_yaw or zero)(times), (eye_pitch or zero)(times)])
    box = np.tile([WIDTH / 2 - face_px * 0.4, 80, face_px * 0.8, face_px], (count, 1))
    return Sight(
        times=times,
        face_count=np.ones(count, dtype=np.float32),
        face_box=box.astype(np.float32),
        head=head,
        eyes=eyes.astype(np.float32),
        blink=np.full(count, 0.1, dtype=np.float32),
        pose=standing(count),
        light=np.full(count, 0.5, dtype=np.float32),
        sharpness=np.full(count, 0.4, dtype=np.float32),
        camera_shift=np.zeros((count, 2), dtype=np.float32),
        rival=np.zeros(count, dtype=np.float32),
        face_light=np.full(count, 0.5, dtype=np.float32),
        eye_contrast=np.full(count, 0.8, dtype=np.float32),
        source_step=1 / per_second,
    )


def some_of(whole: Sight, kept: NDArray[np.bool_], *, source_step: float) -> Sight:
    """The same with only these samples."""
    count = len(whole.times)
    cut: dict[str, Any] = {"source_step": source_step}
    for item in fields(whole):
        values = getattr(whole, item.name)
        if isinstance(values, np.ndarray) and len(values) == count:
            cut[item.name] = values[kept]
    return replace(whole, **cut)


def standing(count: int) -> FloatArray:
    """The standing person in each sample, everything clearly visible."""
    rows = [(*STANDING[name], 0.99) for name in POSE_POINTS]
    return np.tile(np.array(rows, dtype=np.float32), (count, 1, 1))


def without_face(seen: Sight, start: float, end: float) -> Sight:
    """Nothing of the face is found in this time; the body stays."""
    gone = (seen.times >= start) & (seen.times < end)
    seen.head[gone] = np.nan
    seen.eyes[gone] = np.nan
    seen.face_box[gone] = np.nan
    seen.blink[gone] = np.nan
    seen.face_count[gone] = 0
    return seen


def move(seen: Sight, name: str, x: FloatArray | float, y: FloatArray | float) -> None:
    """Shift a point of the body by so much, in picture widths."""
    point = POSE_POINTS.index(name)
    seen.pose[:, point, 0] += x
    seen.pose[:, point, 1] += y


def talk(
    seen: Sight | None,
    *,
    speech: tuple[Span, ...] | None = None,
    options: Options | None = None,
    has_sound: bool = True,
    absent: Mapping[str, Skipped] | None = None,
) -> Talk:
    """A talk in which somebody speaks all the time, unless told otherwise."""
    length = float(seen.times[-1]) + 0.2 if seen is not None and len(seen.times) else 10.0
    audio = AudioInfo(codec="aac", sample_rate_hz=48_000, channels=1) if has_sound else None
    gone = {} if has_sound else {"audio": Skipped(reason=Reason.NO_AUDIO)}
    return Talk(
        media=MediaInfo(
            sha256="0" * 64,
            duration=length,
            container="mp4",
            audio=audio,
            video=VideoInfo(width=WIDTH, height=HEIGHT, fps=30.0),
        ),
        options=options or Options(),
        language=Language(code="en", source="given"),
        speech=(((0.0, length),) if has_sound else ()) if speech is None else speech,
        sight=seen,
        absent={**gone, **(absent or {})},
    )
