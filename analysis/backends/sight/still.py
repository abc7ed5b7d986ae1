"""Face reader for a single picture, including small faces."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from analysis.backends.sight.body import Region, head_region, pose_points
from analysis.backends.sight.face import Face, View, faces_in
from analysis.backends.sight.landmarkers import as_image, open_face, open_pose, silenced_stderr
from analysis.ports import FloatArray

Rgb = NDArray[np.uint8]

_FACES = 4
_CROP_PX = 512
# The detector needs a face of a tenth to two thirds of its picture. A head implied by the pose is
# searched in crops of these many head heights; then the picture is searched in tiles.
_HEADS = (2.4, 1.7, 3.5)
_TILE_SHARES = (0.6, 0.4, 0.25)
# Rivals of a face that only a search found are searched in tiles of this many of its heights,
# unless the face is too small to matter.
_RIVAL_TILE, _LEAST_RIVAL_PX = 4.0, 40.0
# The chosen face is read again in crops of these many face heights and the readings are averaged,
# since each crop falls differently on the model's grid.
_READINGS = (1.6, 2.0, 2.5)
# Beyond this roll the picture is rotated: nobody speaks with the head so far over.
_LYING_DEGREES = 60.0
# A face much smaller than the head of the main body is a picture on the wall or a pattern.
_LEAST_OF_HEAD = 0.4


@dataclass(frozen=True, slots=True)
class Still:
    """Result for a picture: the main face, its rival, and the body's points."""

    face: Face | None
    rival: float
    """Height of the next largest face divided by that of the main one; 0 without another."""
    pose: FloatArray
    quarters: int = 0
    """Quarter turns to the left that made the picture upright; the angles refer to that picture."""


class StillReader:
    """Landmarkers for independent pictures. Use it as a context manager."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._face: Any = None
        self._pose: Any = None

    def __enter__(self) -> Self:
        with self._stack:
            self._face = self._stack.enter_context(open_face(is_video=False, faces=_FACES))
            self._pose = self._stack.enter_context(open_pose(is_video=False))
            self._stack = self._stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def read(self, rgb: Rgb) -> Still:
        """Return the main (largest) face, read several times and averaged.

        A rotated picture is turned upright first, since yaw and pitch would be exchanged in it.
        """
        still = self._read(rgb)
        if still.face is not None and abs(still.face.roll) <= _LYING_DEGREES:
            return still
        order = (3, 1) if still.face is None or still.face.roll < 0 else (1, 3)
        for quarters in order:
            turned = np.ascontiguousarray(np.rot90(rgb, quarters))
            # A first detection decides: most pictures without a face have none in either rotation.
            if not self._detect(turned, View(turned.shape[1], turned.shape[0])):
                continue
            upright = self._read(turned)
            if upright.face is not None and abs(upright.face.roll) <= _LYING_DEGREES:
                return _rotated_back(upright, quarters, rgb.shape[1], rgb.shape[0])
        return still

    def _read(self, rgb: Rgb) -> Still:
        height, width = rgb.shape[:2]
        with silenced_stderr():  # the library warns once, at the first person
            pose = pose_points(self._pose.detect(as_image(rgb)), width, height)
        region = head_region(pose)
        faces = [
            face
            for face in self._detect(rgb, View(width, height))
            if region is None or face.height >= _LEAST_OF_HEAD * region[2] * width
        ]
        was_searched = not faces
        faces = faces or self._search(rgb, region)
        readings = self._readings(rgb, faces[0]) if faces else []
        if not faces or (was_searched and not readings):
            return Still(face=None, rival=0.0, pose=pose)
        others = self._others(rgb, faces[0]) if was_searched else faces[1:]
        rival = max((other.height / faces[0].height for other in others), default=0.0)
        return Still(face=_averaged(faces[0], readings), rival=rival, pose=pose)

    def _detect(self, rgb: Rgb, view: View) -> list[Face]:
        return faces_in(self._face.detect(as_image(rgb)), view)

    def _crop(self, rgb: Rgb, centre: tuple[float, float], side: float) -> list[Face]:
        left, top = centre[0] - side / 2, centre[1] - side / 2
        crop = Image.fromarray(rgb).transform(
            (_CROP_PX, _CROP_PX),
            Image.Transform.AFFINE,
            (side / _CROP_PX, 0, left, 0, side / _CROP_PX, top),
            Image.Resampling.BICUBIC,
        )
        return self._detect(np.asarray(crop), View(_CROP_PX, _CROP_PX, side / _CROP_PX, left, top))

    def _search(self, rgb: Rgb, region: Region | None) -> list[Face]:
        """Return the faces at the pose's head, or the largest of the first tile
        size with a face.
        """
        width = rgb.shape[1]
        if region is not None:
            for heads in _HEADS:
                centre = region[0] * width, region[1] * width
                found = self._crop(rgb, centre, region[2] * width * heads)
                if fitting := [face for face in found if _fits(face, region, width)]:
                    return fitting
        for share in _TILE_SHARES:
            found = [
                face
                for tile in _tiles(rgb, share)
                for face in self._crop(rgb, *tile)
                if region is None or _fits(face, region, width)
            ]
            if found:
                return sorted(found, key=lambda face: -face.height)[:1]
        return []

    def _others(self, rgb: Rgb, main: Face) -> list[Face]:
        """Return other faces of similar size, which the whole picture missed as well."""
        if main.height < _LEAST_RIVAL_PX:
            return []
        share = max(_RIVAL_TILE * main.height / max(rgb.shape[:2]), _TILE_SHARES[-1])
        return [
            face
            for tile in _tiles(rgb, share)
            for face in self._crop(rgb, *tile)
            if np.hypot(face.centre[0] - main.centre[0], face.centre[1] - main.centre[1])
            > main.height
            and self._readings(rgb, face)
        ]

    def _readings(self, rgb: Rgb, face: Face) -> list[Face]:
        """Return the readings of a face in each crop; a face that no crop confirms is a pattern."""
        crops = (self._crop(rgb, face.centre, max(face.box[2:]) * heights) for heights in _READINGS)
        return [found[0] for found in crops if found and _is_same(found[0], face)]


def _rotated_back(still: Still, quarters: int, width: int, height: int) -> Still:
    """Return the result with box and roll in the original picture."""
    if still.face is None:
        return still
    left, top, across, down = still.face.box
    if quarters == 1:
        box = (width - top - down, left, down, across)
    else:
        box = (top, height - left - across, down, across)
    roll = (still.face.roll + 90.0 * quarters + 180.0) % 360.0 - 180.0
    face = replace(still.face, box=box, roll=roll)
    return replace(still, face=face, quarters=quarters)


def _averaged(face: Face, readings: list[Face]) -> Face:
    if not readings:
        return face
    eyes = np.array([reading.eyes for reading in readings if reading.eyes is not None])
    return replace(
        face,
        yaw=_mean(reading.yaw for reading in readings),
        pitch=_mean(reading.pitch for reading in readings),
        roll=_mean(reading.roll for reading in readings),
        eyes=(float(eyes[:, 0].mean()), float(eyes[:, 1].mean())) if len(eyes) else None,
        blink=_mean(reading.blink for reading in readings),
    )


def _mean(values: Iterator[float]) -> float:
    return float(np.mean(list(values)))


def _is_same(one: Face, other: Face) -> bool:
    apart = np.hypot(one.centre[0] - other.centre[0], one.centre[1] - other.centre[1])
    return bool(apart < 0.5 * other.height and 0.6 < one.height / other.height < 1.7)


def _fits(face: Face, region: Region, width: int) -> bool:
    """Return whether a face is at the body's head; patterns are sometimes detected as faces."""
    head = region[2] * width
    apart = np.hypot(face.centre[0] - region[0] * width, face.centre[1] - region[1] * width)
    return bool(apart < head and 0.5 < face.height / head < 2.0)


def _tiles(rgb: Rgb, share: float) -> Iterator[tuple[tuple[float, float], float]]:
    """Yield centre and side of square tiles that overlap by half."""
    height, width = rgb.shape[:2]
    side = share * max(height, width)
    for top in np.arange(0, max(height - side, 0) + side / 4, side / 2):
        for left in np.arange(0, max(width - side, 0) + side / 4, side / 2):
            yield (left + side / 2, top + side / 2), side
