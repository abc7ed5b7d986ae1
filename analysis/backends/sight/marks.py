"""What the landmarkers find, as arrays, copied in one go from where the native library keeps it.

MediaPipe itself makes a Python object of each of the 478 points of a face, with all its fields.
That takes a tenth of watching, and other threads of the process wait meanwhile. `landmarkers` puts
these classes in the place of its own; the numbers are the same to the last bit.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from mediapipe.tasks.python.components.containers.landmark_c import MpNormalizedLandmarkC
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

_TOLD_BY = {"visibility": "has_visibility", "presence": "has_presence"}
"""What the library may leave out, and where it says whether it did."""
_FIELDS = ("x", "y", "z", *_TOLD_BY, *_TOLD_BY.values())
_POINT = np.dtype(
    {
        "names": _FIELDS,
        "formats": [np.bool_ if name in _TOLD_BY.values() else np.float32 for name in _FIELDS],
        "offsets": [getattr(MpNormalizedLandmarkC, name).offset for name in _FIELDS],
        "itemsize": ctypes.sizeof(MpNormalizedLandmarkC),
    }
)


@dataclass(frozen=True, slots=True)
class FaceMarks:
    """One face: `points` are (478, 3) in shares of the picture's width, height and width."""

    points: Numbers
    matrix: Numbers
    scores: dict[str, float]
    """Of each blendshape, 0 to 1, by its name."""


@dataclass(frozen=True, slots=True)
class FoundFaces:
    """All faces of one picture."""

    faces: tuple[FaceMarks, ...]

    @classmethod
    def from_ctypes(cls, found: Any) -> Self:
        """Copied out of the library's result, which is freed right after.

        Raises a ValueError where a face lacks its matrix or its scores: none is passed over.
        """
        counts = (
            found.face_landmarks_count,
            found.facial_transformation_matrixes_count,
            found.face_blendshapes_count,
        )
        return cls(
            tuple(
                FaceMarks(
                    points=_columns(found.face_landmarks[index], "x", "y", "z"),
                    matrix=found.facial_transformation_matrixes[index].to_numpy().astype(float),
                    scores=_scores(found.face_blendshapes[index]),
                )
                for index, _, _ in zip(*map(range, counts), strict=True)
            )
        )


@dataclass(frozen=True, slots=True)
class FoundBodies:
    """All bodies of one picture: (33, 4) each, x and y in shares of the picture's width and height,
    how visible a point is and how surely it lies in the picture (0 where the library says not)."""

    bodies: tuple[Numbers, ...]

    @classmethod
    def from_ctypes(cls, found: Any) -> Self:
        """Copied out of the library's result, which is freed right after."""
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
    if name in _TOLD_BY:
        return np.where(rows[_TOLD_BY[name]], values, np.float32(0))
    return values


def _scores(shapes: Any) -> dict[str, float]:
    known = (shapes.categories[index] for index in range(shapes.categories_count))
    return {shape.category_name.decode(): shape.score for shape in known}
