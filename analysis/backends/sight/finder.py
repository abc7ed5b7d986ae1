"""Face finder for moving pictures, including small faces."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from analysis.backends.sight.body import Region
from analysis.backends.sight.face import Face, View, faces_in
from analysis.backends.sight.follow import continues, face_distance
from analysis.backends.sight.landmarkers import as_image, open_face
from analysis.backends.sight.prints import BESIDE, StillFaces

_FACES = 3
# A face fills less than half of the crop in which it is searched a second time.
_CROP_HEADS = 2.4
_CROP_PX = 256
_LEAST_HEAD_PX = 8.0
# If neither face nor body is found, or only motionless faces as in pictures, there may be a small
# camera picture next to slides. Tiles are about as large as such a window, in picture widths, and
# take turns. A search costs as much as ten to thirty detections, so it runs on the first picture,
# then after this many pictures, and less often while nothing is found (rules of thumb). A face that
# more than fills the picture is found with a margin around it.
_FROM_FURTHER = 1.3
_TILES = (0.35, 0.22)
_SEARCH_AFTER, _SEARCH_AT_LATEST = 10, 40
# Failed searches assumed to have preceded a later segment of a talk.
_SEARCHED_BEFORE = 12

Rgb = NDArray[np.uint8]


@contextmanager
def face_finder(*, reads_eyes: bool) -> Iterator[FaceFinder]:
    """Yield a finder with its two landmarkers open."""
    with (
        open_face(is_video=True, faces=_FACES) as moving,
        open_face(is_video=False, faces=1) as still,
    ):
        yield FaceFinder(moving, still, reads_eyes=reads_eyes)


class FaceFinder:
    """Finder that examines the whole picture first, then crops where a face is likely."""

    def __init__(self, moving: Any, still: Any, *, reads_eyes: bool) -> None:
        self._moving = moving
        self._still = still
        self._reads_eyes = reads_eyes
        self._searches = 0
        self._until_search = 0
        self._still_faces = StillFaces()
        self.beside: Face | None = None
        """The face found only in a crop of the last picture."""

    def begin(self, *, is_first: bool) -> None:
        """Start a segment of a talk; for all but the first, earlier searches are assumed."""
        self._searches = 0 if is_first else _SEARCHED_BEFORE
        self._until_search = 0
        self._still_faces = StillFaces()
        self.beside = None

    @property
    def sees_movement(self) -> bool:
        """Return whether a face in the last picture is new or moved."""
        return self._still_faces.has_moving

    def living(self, faces: Sequence[Face]) -> list[Face]:
        """Return the faces that did not keep still for seconds, as pictures on a
        wall or slide do.
        """
        return self._still_faces.living(faces)

    def forget(self, nothing: Rgb, stamp: int) -> None:
        """Reset face tracking with an empty picture."""
        self._moving.detect_for_video(as_image(nothing), stamp)
        self.beside = None

    def find(self, rgb: Rgb, stamp: int, *, scale: float, region: Region | None) -> list[Face]:
        """Return faces in source pixels; `scale` is source pixels per pixel of this picture."""
        height, width = rgb.shape[:2]
        result = self._moving.detect_for_video(as_image(rgb), stamp)
        faces = faces_in(result, View(width, height, scale, reads_eyes=self._reads_eyes))
        living = self.living(faces)
        # A face found next to other faces stays tracked: one on the next slide may be larger, and
        # is recognised as a picture only after a while.
        if self.beside is not None and (again := self.find_again(rgb, self.beside, faces, scale)):
            living = [*living, again]
        if not living and region is not None:
            living = self._elsewhere(self._look_closer(rgb, region, scale))
        if not living and (faces or region is None):
            living = self._search_at_times(rgb, scale)
        if living:
            self._searches = 0
        self._still_faces.add(faces)
        beside = [face for face in living if face not in faces]
        self.beside = next(iter(beside), None)
        return sorted(faces + beside, key=lambda face: -face.height)

    def find_again(self, rgb: Rgb, face: Face, others: Sequence[Face], scale: float) -> Face | None:
        """Return the same face in another picture; None if it is gone or is one of the others."""
        width = rgb.shape[1] * scale
        place = (face.centre[0] / width, face.centre[1] / width, face.height / width)
        found = [
            one
            for one in self._elsewhere(self._look_closer(rgb, place, scale))
            if continues(one, face)
            and not any(face_distance(one, other) <= BESIDE for other in others)
        ]
        return next(iter(found), None)

    def _elsewhere(self, faces: Sequence[Face]) -> list[Face]:
        return self._still_faces.elsewhere(faces)

    def _look_closer(self, rgb: Rgb, region: Region, scale: float) -> list[Face]:
        """Return the faces in a crop, since the detector misses small faces."""
        width = rgb.shape[1]
        side = region[2] * width * _CROP_HEADS
        if side < _LEAST_HEAD_PX * _CROP_HEADS:
            return []
        left, top = region[0] * width - side / 2, region[1] * width - side / 2
        crop = Image.fromarray(rgb).transform(
            (_CROP_PX, _CROP_PX),
            Image.Transform.AFFINE,
            (side / _CROP_PX, 0, left, 0, side / _CROP_PX, top),
            Image.Resampling.BILINEAR,
        )
        result = self._still.detect(as_image(np.asarray(crop)))
        to_source = scale * side / _CROP_PX
        view = View(
            _CROP_PX, _CROP_PX, to_source, left * scale, top * scale, reads_eyes=self._reads_eyes
        )
        return faces_in(result, view)

    def _search_at_times(self, rgb: Rgb, scale: float) -> list[Face]:
        self._until_search -= 1
        if self._until_search > 0:
            return []
        tile = _TILES[self._searches % len(_TILES)]
        self._searches += 1
        self._until_search = min(_SEARCH_AT_LATEST, _SEARCH_AFTER * (1 + self._searches // 4))
        return self._search(rgb, scale, tile)

    def _search(self, rgb: Rgb, scale: float, tile: float) -> list[Face]:
        """Return the first moving face, from a wider crop or in overlapping tiles."""
        height = rgb.shape[0] / rgb.shape[1]
        side = _FROM_FURTHER * max(1.0, height)
        whole = (0.5, height / 2, side / _CROP_HEADS)
        if faces := self._elsewhere(self._look_closer(rgb, whole, scale)):
            return faces
        for top in _starts(height, tile):
            for left in _starts(1.0, tile):
                middle = (left + tile / 2, top + tile / 2)
                found = self._look_closer(rgb, (*middle, tile / _CROP_HEADS), scale)
                if faces := self._elsewhere(found):
                    return faces
        return []


def _starts(length: float, tile: float) -> list[float]:
    """Return start positions of tiles that overlap by about half and cover the length."""
    room = max(length - tile, 0.0)
    return [float(start) for start in np.linspace(0.0, room, 1 + math.ceil(2 * room / tile))]
