"""Time series of the followed person, from the observations of each picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.backends.sight.body import no_pose
from analysis.backends.sight.face import Face
from analysis.backends.sight.follow import followed, rivals, tracks_of
from analysis.backends.sight.prints import pictured_faces
from analysis.ports import POSE_POINTS, FloatArray, Sight


@dataclass(slots=True)
class Observation:
    """Observation of one picture."""

    time: float
    faces: list[Face]
    face_qualities: list[tuple[float, float]]
    pose: FloatArray | None
    """None if the body was not examined because it did not move around this picture."""
    light: float
    shift: tuple[float, float]
    scale: float
    """Picture width in source pixels."""


def with_poses_between(seen: list[Observation]) -> list[Observation]:
    """Fill in poses that were not examined, interpolated between their neighbours."""
    known = [(one.time, one.pose) for one in seen if one.pose is not None]
    place = 0
    for one in seen:
        while place + 1 < len(known) and known[place + 1][0] <= one.time:
            place += 1
        if one.pose is None:
            (start, before), (end, after) = known[place], known[place + 1]
            share = np.float32((one.time - start) / (end - start))
            one.pose = before + share * (after - before)
    return seen


def series_of(seen: list[Observation], step: float, parts: tuple[str, ...]) -> Sight:
    """Return the series of all pictures, without other people and without faces on pictures."""
    chosen, faces = _followed(seen)
    qualities = [
        one.face_qualities[one.faces.index(face)] if face is not None else (np.nan, np.nan)
        for one, face in zip(seen, chosen, strict=True)
    ]
    return Sight(
        times=_column([one.time for one in seen]),
        face_count=_column([len(some) if "face" in parts else np.nan for some in faces]),
        face_box=_rows([face.box if face else (np.nan,) * 4 for face in chosen], 4),
        head=_rows(
            [(face.yaw, face.pitch, face.roll) if face else (np.nan,) * 3 for face in chosen], 3
        ),
        eyes=_rows([face.eyes or (np.nan,) * 2 if face else (np.nan,) * 2 for face in chosen], 2),
        blink=_column([face.blink if face else np.nan for face in chosen]),
        pose=_poses(seen, chosen),
        light=_column([one.light for one in seen]),
        sharpness=_column([sharpness for _, sharpness in qualities]),
        camera_shift=_rows([one.shift for one in seen], 2),
        rival=_column(rivals(faces, chosen)),
        face_light=_column([light for light, _ in qualities]),
        eye_contrast=_column([_or_nan(face.eye_contrast if face else None) for face in chosen]),
        source_step=step,
        watched=parts,
    )


def _followed(seen: list[Observation]) -> tuple[list[Face | None], list[list[Face]]]:
    """Return the followed person's face in each picture, and all living faces there."""
    times, faces = [one.time for one in seen], [one.faces for one in seen]
    tracks = tracks_of(times, faces)
    prints = pictured_faces(tracks, times)
    if not prints:
        return followed(tracks, len(times)), faces
    printed = {(index, id(face)) for track in prints for index, face in track.seen}
    living = [
        [face for face in some if (index, id(face)) not in printed]
        for index, some in enumerate(faces)
    ]
    return followed([track for track in tracks if track not in prints], len(times)), living


def _poses(seen: list[Observation], chosen: list[Face | None]) -> FloatArray:
    """Return the poses of shape (pictures, points, 3); NaN if the pose
    belongs to another person.
    """
    rows = []
    for one, face in zip(seen, chosen, strict=True):
        pose = no_pose() if one.pose is None else one.pose
        rows.append(no_pose() if _is_other_persons_pose(pose, face, one) else pose)
    return np.array(rows, dtype=np.float32).reshape(len(seen), len(POSE_POINTS), 3)


def _is_other_persons_pose(pose: FloatArray, face: Face | None, one: Observation) -> bool:
    """Return whether the pose's nose is away from the followed face, or inside another face."""
    if face is not None:
        return _is_off_face(pose, face, one.scale)
    has_nose = bool(np.isfinite(pose[0, 0]))
    return has_nose and any(not _is_off_face(pose, other, one.scale) for other in one.faces)


def _is_off_face(pose: FloatArray, face: Face, px_per_width: float) -> bool:
    """Return whether the nose is further from the face's middle than the face is high."""
    nose = pose[0, :2] * px_per_width
    return bool(np.hypot(nose[0] - face.centre[0], nose[1] - face.centre[1]) > face.height)


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value


def _column(values: list[float]) -> FloatArray:
    return np.array(values, dtype=np.float32)


def _rows(values: list[Any], width: int) -> FloatArray:
    return np.array(values, dtype=np.float32).reshape(len(values), width)
