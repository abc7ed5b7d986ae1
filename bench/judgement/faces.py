"""Pictures of one person with the head turned by known degrees, made from one real picture.

The landmarks of the face are rotated in space and the picture is warped with them; the background
behind an ear stays behind it. Eyes turn with the head, and nothing else about the picture changes.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.interpolate import LinearNDInterpolator
from scipy.ndimage import gaussian_filter1d, map_coordinates

from analysis.backends.sight.landmarkers import as_image, open_face

Rgb = NDArray[np.uint8]
Numbers = NDArray[np.float64]

HEIGHT = 480
_WIDTH = HEIGHT * 16 // 9 // 2 * 2
_STILL_RING = 1.7
"""Distance from the middle of the face, in its radii, beyond which nothing moves."""
_NECK_DEPTH = 0.3
"""Distance of the rotation centre behind the middle of the face, in heights of the face."""
_ANCHORS = 24
_HAIR, _SHOULDERS = 1.9, 3.4
"""Width of the person next to the middle of the face, in halves of its width: at the top, and below
the chin.
"""
_SOFT = 6
"""Pixels over which the person is blended into the room, and from which the room is taken."""


class TurnableHead:
    """One person in a picture of webcam size."""

    def __init__(self, picture: Path) -> None:
        with Image.open(picture) as image:
            self._rgb = _framed(image.convert("RGB"))
        self._points = _landmarks(self._rgb)
        self._person = _covered(self._points, self._rgb.shape[1])
        self._room = _room(self._rgb, self._person)

    @property
    def straight(self) -> Rgb:
        """Return the unmodified picture."""
        return self._rgb

    def turned(self, *, aside: float = 0.0, down: float = 0.0) -> Rgb:
        """Return the head turned by these degrees: to the right of the picture, and down."""
        here = self._points[:, :2]
        there = _rotated(self._points, np.radians(aside), np.radians(down))[:, :2]
        return _warped(self._rgb, here, there)

    def leaving(self, done: float) -> Rgb:
        """Return the person leaving to the left; at `done` = 1 the room is empty."""
        ends = np.flatnonzero((self._person > 0).any(axis=0))[-1] + 1
        by = round(done * ends)
        rest = self._rgb.shape[1] - by
        cover, picture = np.zeros_like(self._person), np.zeros_like(self._room)
        cover[:, :rest], picture[:, :rest] = self._person[:, by:], self._rgb[:, by:]
        mixed = self._room * (1 - cover[..., None]) + picture * cover[..., None]
        left: Rgb = mixed.clip(0, 255).astype(np.uint8)
        return left


def _framed(image: Image.Image) -> Rgb:
    """Return a wide picture with the person in the middle; the sides are
    extended from the edges.
    """
    small = image.resize((round(image.width * HEIGHT / image.height), HEIGHT))
    picture = np.asarray(small)[:, :_WIDTH]
    room = _WIDTH - picture.shape[1]
    sides = ((0, 0), (room // 2, room - room // 2), (0, 0))
    framed: Rgb = np.pad(picture, sides, mode="edge").astype(np.uint8, copy=False)
    return framed


def _landmarks(rgb: Rgb) -> Numbers:
    """Return the landmarks, shape (points, 3), in pixels; depth grows away from the camera. Raises
    ValueError without a face.
    """
    with open_face(is_video=False, faces=1) as landmarker:
        found = landmarker.detect(as_image(rgb)).faces
    if not found:
        raise ValueError("There is no face in this picture.")
    height, width = rgb.shape[:2]
    points: Numbers = found[0].points * (width, height, width)
    return points


def _rotated(points: Numbers, aside: float, down: float) -> Numbers:
    middle = points.mean(axis=0)
    middle[2] += _NECK_DEPTH * np.ptp(points[:, 1])
    x, y, z = (points - middle).T
    x, z = x * np.cos(aside) - z * np.sin(aside), x * np.sin(aside) + z * np.cos(aside)
    y, z = y * np.cos(down) - z * np.sin(down), y * np.sin(down) + z * np.cos(down)
    rotated: Numbers = np.stack([x, y, z], axis=1) + middle
    return rotated


def _warped(rgb: Rgb, here: Numbers, there: Numbers) -> Rgb:
    """Return the picture with the points `here` moved to `there`; distant parts are unchanged."""
    anchors = _still(here, rgb.shape[1], rgb.shape[0])
    onto = np.vstack([there, anchors])
    back = LinearNDInterpolator(onto, np.vstack([here, anchors]) - onto, fill_value=0.0)
    rows, columns = np.mgrid[: rgb.shape[0], : rgb.shape[1]]
    move = back(np.stack([columns.ravel(), rows.ravel()], axis=1)).reshape(*rows.shape, 2)
    places = [rows + move[..., 1], columns + move[..., 0]]
    channels = [
        map_coordinates(rgb[..., channel].astype(np.float32), places, order=1, mode="nearest")
        for channel in range(3)
    ]
    return np.stack(channels, axis=-1).clip(0, 255).astype(np.uint8)


def _still(points: Numbers, width: int, height: int) -> Numbers:
    """Return a ring around the face, and the corners of the picture."""
    middle = points.mean(axis=0)
    radius = _STILL_RING * np.abs(points - middle).max(axis=0)
    angles = np.linspace(0, 2 * np.pi, _ANCHORS, endpoint=False)
    ring = middle + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    corners = np.array([[0, 0], [width - 1, 0], [0, height - 1], [width - 1, height - 1]])
    return np.vstack([ring, corners])


def _covered(points: Numbers, width: int) -> Numbers:
    """Return a mask, shape (HEIGHT, width): 1 for the person, 0 for the room. Hair and shoulders
    are estimated from the face.
    """
    (left, top), (right, chin) = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    half, rows = (right - left) / 2, np.arange(HEIGHT)
    reach = np.where(rows < chin, _HAIR, _SHOULDERS) * half
    reach[rows < top - (chin - top)] = 0.0
    reach = gaussian_filter1d(reach, half / 4)
    beside = np.abs(np.arange(width)[None, :] - (left + right) / 2)
    covered: Numbers = np.clip((reach[:, None] - beside) / _SOFT, 0.0, 1.0)
    return covered


def _room(rgb: Rgb, person: Numbers) -> Numbers:
    """Return the picture without the person: the room is extended from the sides."""
    room = rgb.astype(np.float64)
    for row, cover in zip(room, person, strict=True):
        hidden = np.flatnonzero(cover > 0)
        if not len(hidden):
            continue
        first, last = hidden[0], hidden[-1] + 1
        before = row[max(first - _SOFT, 0) : first]
        behind = row[last : last + _SOFT]
        ends = [part.mean(axis=0) for part in (before, behind) if len(part)] or [row.mean(axis=0)]
        share = np.linspace(0.0, 1.0, last - first)[:, None]
        row[first:last] = ends[0] * (1 - share) + ends[-1] * share
    return room
