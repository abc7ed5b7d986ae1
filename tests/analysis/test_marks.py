"""What is copied out of the native library is what the library's own objects say."""

from __future__ import annotations

import ctypes
import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mediapipe.tasks.python.components.containers.category import Category
from mediapipe.tasks.python.components.containers.landmark import NormalizedLandmark
from mediapipe.tasks.python.components.containers.landmark_c import (
    MpNormalizedLandmarkC,
    MpNormalizedLandmarksC,
)
from mediapipe.tasks.python.vision import face_landmarker, pose_landmarker
from numpy.typing import NDArray
from PIL import Image

from analysis.backends.sight.landmarkers import as_image, open_face, open_pose
from analysis.backends.sight.marks import BodyDetections, FaceDetections

pytestmark = pytest.mark.usefixtures("faces")


@dataclasses.dataclass
class Both:
    """What the library's own reading would be: the objects, made from the same structure."""

    ours: Any
    points: list[list[NormalizedLandmark]]
    shapes: list[list[Category]]
    matrices: list[NDArray[np.float32]]


def objects(structures: Any, count: int, kind: Any, rows: str) -> list[list[Any]]:
    return [
        [
            kind.from_ctypes(getattr(structures[index], rows)[row])
            for row in range(getattr(structures[index], f"{rows}_count"))
        ]
        for index in range(count)
    ]


class BothFaces:
    @classmethod
    def from_ctypes(cls, found: Any) -> Both:
        count = found.face_landmarks_count
        return Both(
            ours=FaceDetections.from_ctypes(found),
            points=objects(found.face_landmarks, count, NormalizedLandmark, "landmarks"),
            shapes=objects(found.face_blendshapes, count, Category, "categories"),
            matrices=[found.facial_transformation_matrixes[i].to_numpy() for i in range(count)],
        )


class BothBodies:
    @classmethod
    def from_ctypes(cls, found: Any) -> Both:
        count = found.pose_landmarks_count
        return Both(
            ours=BodyDetections.from_ctypes(found),
            points=objects(found.pose_landmarks, count, NormalizedLandmark, "landmarks"),
            shapes=[],
            matrices=[],
        )


@pytest.fixture
def person(shared_media: Path) -> NDArray[np.uint8]:
    path = sorted((shared_media / "4_gaze/frames").glob("*.jpg"))[0]
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


def test_a_face_is_the_same_point_by_point(
    person: NDArray[np.uint8], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(face_landmarker, "FaceLandmarkerResult", BothFaces)
    with open_face(is_video=False, faces=1) as landmarker:
        both = landmarker.detect(as_image(person))
    [face] = both.ours.faces
    assert face.points.tolist() == [[p.x, p.y, p.z] for p in both.points[0]]
    assert face.scores == {shape.category_name: shape.score for shape in both.shapes[0]}
    assert face.matrix.tolist() == both.matrices[0].tolist()
    assert face.points.shape == (478, 3)


def test_a_body_is_the_same_point_by_point(
    person: NDArray[np.uint8], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pose_landmarker, "PoseLandmarkerResult", BothBodies)
    with open_pose(is_video=False) as landmarker:
        both = landmarker.detect(as_image(person))
    [body] = both.ours.bodies
    assert body.tolist() == [[p.x, p.y, p.visibility, p.presence] for p in both.points[0]]
    assert body.shape == (33, 4)


def test_nobody_is_nobody() -> None:
    nothing = as_image(np.zeros((120, 160, 3), dtype=np.uint8))
    with open_face(is_video=False, faces=1) as face, open_pose(is_video=False) as pose:
        assert face.detect(nothing) == FaceDetections(())
        assert pose.detect(nothing) == BodyDetections(())


def test_what_the_library_leaves_out_of_a_point_is_nothing() -> None:
    told = MpNormalizedLandmarkC(
        x=0.5, y=0.25, has_visibility=True, visibility=0.5, has_presence=True, presence=0.75
    )
    untold = MpNormalizedLandmarkC(x=0.5, y=0.25, visibility=0.5, presence=0.75)
    points = (MpNormalizedLandmarkC * 2)(told, untold)
    body = MpNormalizedLandmarksC(landmarks=points, landmarks_count=len(points))
    found = pose_landmarker.MpPoseLandmarkerResultC(
        pose_landmarks=ctypes.pointer(body), pose_landmarks_count=1
    )
    [rows] = BodyDetections.from_ctypes(found).bodies
    assert rows.tolist() == [[0.5, 0.25, 0.5, 0.75], [0.5, 0.25, 0.0, 0.0]]


def test_a_face_without_its_matrix_is_not_passed_over() -> None:
    found = face_landmarker.MpFaceLandmarkerResultC(
        face_landmarks=ctypes.pointer(MpNormalizedLandmarksC()), face_landmarks_count=1
    )
    with pytest.raises(ValueError, match="zip"):
        FaceDetections.from_ctypes(found)
