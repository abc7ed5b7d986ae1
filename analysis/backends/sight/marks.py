"""Landmarker results as arrays, copied in bulk from the native library's memory.

MediaPipe itself builds a Python object with all fields for each of the 478 points of a face. That
takes a tenth of the watching time, while other threads wait. `landmarkers` substitutes these
classes for the library's own; the numbers are bit-identical.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from mediapipe.tasks.python.components.containers.landmark_c import MpNormalizedLandmarkC
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

_OPTIONAL_FIELDS = {"visibility": "has_visibility", "presence": "has_presence"}
"""Optional fields of the library, and the flags that tell whether they are set."""
_FIELDS = ("x", "y", "z", *_OPTIONAL_FIELDS, *_OPTIONAL_FIELDS.values())
_POINT = np.dtype(
    {
        "names": _FIELDS,
        "formats": [
            np.bool_ if name in _OPTIONAL_FIELDS.values() else np.float32 for name in _FIELDS
        ],
        "offsets": [getattr(MpNormalizedLandmarkC, name).offset for name in _FIELDS],
        "itemsize": ctypes.sizeof(MpNormalizedLandmarkC),
    }
)


@dataclass(frozen=True, slots=True)
class FaceLandmarks:
    """One face: `points` are (478, 3), as fractions of the picture's width, height and width."""

    points: Numbers
    matrix: Numbers
    scores: dict[str, float]
    """Score of each blendshape, 0 to 1, by name."""


@dataclass(frozen=True, slots=True)
class FaceDetections:
    """All faces of one picture."""

    faces: tuple[FaceLandmarks, ...]

    @classmethod
    def from_ctypes(cls, found: Any) -> Self:
        """Copy the faces from the library's result, which is freed right after.

        Raises ValueError if a face lacks its matrix or its scores.
        """
        counts = (
            found.face_landmarks_count,
            found.facial_transformation_matrixes_count,
            found.face_blendshapes_count,
        )
        return cls(
            tuple(
                FaceLandmarks(
                    points=_columns(found.face_landmarks[index], "x", "y", "z"),
                    matrix=found.facial_transformation_matrixes[index].to_numpy().astype(float),
                    scores=_scores(found.face_blendshapes[index]),
                )
                for index, _, _ in zip(*map(range, counts), strict=True)
            )
        )


@dataclass(frozen=True, slots=True)
class BodyDetections:
    """All bodies of one picture, (33, 4) each: x and y as fractions of the picture's width and
    height, visibility, and presence in the picture (0 if the library does not say).
    """

    bodies: tuple[Numbers, ...]

    @classmethod
    def from_ctypes(cls, found: Any) -> Self:
        """Copy the bodies from the library's result, which is freed right after."""
        return cls(
            tuple(
                _columns(found.pose_landmarks[index], "x", "y", "visibility", "presence")
                for index in range(found.pose_landmarks_count)
            )
        )


def _columns(points: Any, *names: str) -> Numbers:
    raw = ctypes.string_at(points.landmarks, points.landmarks_count * _POINT.itemsize)
    rows = np.frombuffer(raw, dtype=_POINT)
    return np.stack([_column(rows, name) for name in names], axis=1).astype(np.float64)


def _column(rows: NDArray[np.void], name: str) -> NDArray[np.float32]:
    values: NDArray[np.float32] = rows[name]
    if name in _OPTIONAL_FIELDS:
        return np.where(rows[_OPTIONAL_FIELDS[name]], values, np.float32(0))
    return values


def _scores(shapes: Any) -> dict[str, float]:
    known = (shapes.categories[index] for index in range(shapes.categories_count))
    return {shape.category_name.decode(): shape.score for shape in known}
