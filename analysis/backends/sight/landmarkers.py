"""MediaPipe landmarkers as context managers without log output; failures raise ModelUnavailable."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

import mediapipe
import numpy as np
from mediapipe.tasks.python.vision import face_landmarker, pose_landmarker
from numpy.typing import NDArray

from analysis import models, weights
from analysis.backends.sight.marks import BodyDetections, FaceDetections
from analysis.errors import ModelUnavailable

_vision = mediapipe.tasks.vision

# Result classes that replace the library's own: see `marks`.
face_landmarker.FaceLandmarkerResult = FaceDetections
pose_landmarker.PoseLandmarkerResult = BodyDetections


@contextmanager
def open_face(*, is_video: bool, faces: int) -> Iterator[Any]:
    """Yield a face landmarker with blendshapes and head matrices, for up to `faces` faces.

    Its results are FoundFaces. Raises ModelUnavailable.
    """
    options = _vision.FaceLandmarkerOptions(
        base_options=_weights(weights.FACE_LANDMARKER),
        output_face_blendshapes=True,
        output_facial_transformation_matrixes=True,
        num_faces=faces,
        running_mode=_mode(is_video=is_video),
    )
    with _opened(_vision.FaceLandmarker, options) as landmarker:
        yield landmarker


@contextmanager
def open_pose(*, is_video: bool) -> Iterator[Any]:
    """Yield a pose landmarker for one person; its results
    are FoundBodies. Raises ModelUnavailable.
    """
    options = _vision.PoseLandmarkerOptions(
        base_options=_weights(weights.POSE_LANDMARKER),
        num_poses=1,
        running_mode=_mode(is_video=is_video),
    )
    with _opened(_vision.PoseLandmarker, options) as landmarker:
        yield landmarker


def as_image(rgb: NDArray[np.uint8]) -> Any:
    """Return the picture as a MediaPipe image."""
    return mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=np.ascontiguousarray(rgb))


class PrivateOptions(mediapipe.tasks.BaseOptions):  # type: ignore[misc]
    """Task options that prevent the sending of usage data.

    MediaPipe posts to its makers which task ran, on what and for how long, and has no switch for it
    (its issue 6291). Without trusted certificates, each attempt ends before anything is sent.
    """

    def to_ctypes(self) -> Any:
        """Return the options in the library's C structure."""
        options = super().to_ctypes()
        options.ca_bundle_path = os.devnull.encode()
        return options


def _weights(name: str) -> Any:
    return PrivateOptions(model_asset_path=str(models.path_of(name)))


def _mode(*, is_video: bool) -> Any:
    return _vision.RunningMode.VIDEO if is_video else _vision.RunningMode.IMAGE


@contextmanager
def _opened(kind: Any, options: Any) -> Iterator[Any]:
    try:
        with silenced_stderr():
            landmarker = kind.create_from_options(options)
    except (OSError, RuntimeError, ValueError) as error:
        raise ModelUnavailable("landmarkers_not_started") from error
    with landmarker:
        yield landmarker


class _StderrSilencer:
    """Reference-counted redirection of stderr to /dev/null, since several segments may start at
    once.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._asking = 0
        self._kept = -1

    def begin(self) -> None:
        """Redirect stderr, unless it is redirected already."""
        with self._lock:
            self._asking += 1
            if self._asking > 1:
                return
            sys.stderr.flush()
            self._kept = os.dup(2)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 2)
            os.close(nowhere)

    def end(self) -> None:
        """Restore stderr when the last user has finished."""
        with self._lock:
            self._asking -= 1
            if self._asking == 0:
                os.dup2(self._kept, 2)
                os.close(self._kept)


_stderr_silencer = _StderrSilencer()


@contextmanager
def silenced_stderr() -> Iterator[None]:
    """Discard the native libraries' log lines while a model starts."""
    _stderr_silencer.begin()
    try:
        yield
    finally:
        _stderr_silencer.end()
