"""Face angles: directions of head and eyes in degrees, from face landmarks.

Signs are those of AFLW2000: yaw is positive when the face is turned to the left of the picture,
pitch when it is turned up. Angles are relative to the line from the face to the camera.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.backends.sight.marks import FaceDetections, FaceLandmarks, Numbers

# The landmarker's matrix depends on the position of the face in the picture. Measured with eight
# faces pasted at known positions of 16:9 and 9:16 canvases (n = 224): the angle grows by about 0.27
# degrees per degree between face and optical axis. Without the correction the spread is 5 degrees
# at the edge, with it 0.6. `python -m bench watching` measures it again.
_PLACE_SLOPE = 0.27

# Anatomy, in cm: the distance between the outer eye corners in the landmarker's canonical face. The
# eye's centre of rotation is 0.6 behind the line of the eye corners and the iris 1.05 in front of
# it (eye of 24 mm, apex of the cornea 13.5 mm before the centre, iris 3 mm behind the apex); the
# pupil at rest is 0.1 above that line.
_OUTER_CORNERS_CM = 8.89
_EYE_DEPTH_CM = 0.6
_IRIS_RADIUS_CM = 1.05
_REST_HEIGHT_CM = 0.1

# Full look-sideways and look-up/down blendshapes turn an eye by about this much (rule of thumb).
_LOOK_SIDE_DEGREES = 30.0
_LOOK_UP_DEGREES = 20.0
# The blendshapes are not symmetrical: on pictures and their mirror images (n = 53) the sideways
# scores differ by twice this, for any person.
_LOOK_SIDE_BIAS = 0.08

# Outer corner, inner corner, iris: the speaker's right eye, then the left one.
_EYES = ((33, 133, 468), (263, 362, 473))

EYES_FROM_PX = 75.0
"""Face height in source pixels from which the iris has about five pixels."""
EYES_TO_YAW_DEGREES = 50.0
"""Largest yaw at which eyes are read; beyond it one eye is hidden and the other seen from the side.
"""


EyePlace = tuple[float, float, float]
"""Middle of an eye (x, y), and the distance from its outer to its inner corner."""


@dataclass(frozen=True, slots=True)
class Face:
    """One face in one picture. `eyes` are relative to the head, None if they cannot be read."""

    box: tuple[float, float, float, float]
    yaw: float
    pitch: float
    roll: float
    eyes: tuple[float, float] | None
    blink: float
    eyes_at: tuple[EyePlace, ...] = ()
    """Positions of the eyes in the picture, if they were examined."""
    eye_contrast: float | None = None
    """Contrast within the eyes: `picture.eye_contrast`."""

    @property
    def height(self) -> float:
        """Return the height of the box, from forehead to chin."""
        return self.box[3]

    @property
    def centre(self) -> tuple[float, float]:
        """Return the middle of the box."""
        return self.box[0] + self.box[2] / 2, self.box[1] + self.box[3] / 2


def face_between(before: Face, after: Face, share: float) -> Face:
    """Interpolate between two observations of a face; `share` 0 is `before`, 1 is `after`."""

    def mean(one: Sequence[float], other: Sequence[float]) -> tuple[float, ...]:
        return tuple(a + share * (b - a) for a, b in zip(one, other, strict=True))

    left, top, width, height = mean(before.box, after.box)
    yaw, pitch, roll, blink = mean(
        (before.yaw, before.pitch, before.roll, before.blink),
        (after.yaw, after.pitch, after.roll, after.blink),
    )
    eyes = None
    if before.eyes and after.eyes:
        side, up = mean(before.eyes, after.eyes)
        eyes = (side, up)
    contrast = None
    if before.eye_contrast is not None and after.eye_contrast is not None:
        [contrast] = mean([before.eye_contrast], [after.eye_contrast])
    box = left, top, width, height
    return Face(box, yaw, pitch, roll, eyes, blink, eye_contrast=contrast)


@dataclass(frozen=True, slots=True)
class View:
    """Position of the landmarker's input picture within the source picture."""

    width: int
    height: int
    scale: float = 1.0
    """Source pixels per pixel of this view."""
    left: float = 0.0
    top: float = 0.0
    reads_eyes: bool = True
    """Whether to read the eyes; False if the person asked for no gaze analysis."""


def faces_in(found: FaceDetections, view: View) -> list[Face]:
    """Return all faces that a landmarker found, in source pixels, largest first."""
    return sorted((_face(marks, view) for marks in found.faces), key=lambda face: -face.height)


def _face(marks: FaceLandmarks, view: View) -> Face:
    points = marks.points[:, :2] * (view.width, view.height)
    yaw, pitch, roll = head_angles(marks.matrix)
    scores = marks.scores
    low = points.min(axis=0) * view.scale + (view.left, view.top)
    high = points.max(axis=0) * view.scale + (view.left, view.top)
    is_readable = high[1] - low[1] >= EYES_FROM_PX and abs(yaw) <= EYES_TO_YAW_DEGREES
    blink = (scores["eyeBlinkLeft"] + scores["eyeBlinkRight"]) / 2
    reads_eyes = is_readable and view.reads_eyes
    return Face(
        box=(float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])),
        yaw=yaw,
        pitch=pitch,
        roll=roll,
        eyes=_eyes(points, yaw, pitch, scores) if reads_eyes else None,
        blink=blink if view.reads_eyes else math.nan,
        eyes_at=_eyes_at(points, view) if reads_eyes else (),
    )


def _eyes_at(points: Numbers, view: View) -> tuple[EyePlace, ...]:
    places = []
    for outer, inner, _iris in _EYES:
        x, y = (points[outer] + points[inner]) / 2 * view.scale + (view.left, view.top)
        places.append((float(x), float(y), math.dist(points[outer], points[inner]) * view.scale))
    return tuple(places)


def head_angles(matrix: Numbers) -> tuple[float, float, float]:
    """Return yaw, pitch and roll of a facial transformation matrix, corrected for the face's
    position.

    Yaw and pitch are azimuth and elevation of the face, as needed for camera facing. Roll is that
    of AFLW2000, the first rotation there (about z, then y, then x); taken last, as azimuth and
    elevation imply, it deviates from those labels by 3 to 25 degrees beyond 30 degrees of yaw.
    """
    turn = matrix[:3, :3] / np.cbrt(np.linalg.det(matrix[:3, :3]))
    across, up, towards = turn[:, 2]
    place_x, place_y, place_z = matrix[:3, 3]
    yaw = math.degrees(-math.atan2(across, towards))
    pitch = math.degrees(math.atan2(up, math.hypot(across, towards)))
    roll = math.degrees(math.atan2(turn[0, 1], turn[0, 0]))
    aside = math.degrees(math.atan2(place_x, -place_z))
    above = math.degrees(math.atan2(place_y, -place_z))
    return yaw - _PLACE_SLOPE * aside, pitch + _PLACE_SLOPE * above, roll


def _eyes(
    points: Numbers, yaw: float, pitch: float, scores: dict[str, float]
) -> tuple[float, float]:
    """Return the eye direction relative to the head: the mean of geometry and blendshapes."""
    side, up = _iris_direction(points, yaw, pitch)
    look_side, look_up = _look_scores(scores)
    return (
        (side - yaw - look_side * _LOOK_SIDE_DEGREES) / 2,
        (up - pitch + look_up * _LOOK_UP_DEGREES) / 2,
    )


def _look_scores(scores: dict[str, float]) -> tuple[float, float]:
    """Return gaze scores to the speaker's left and up, -1 to 1, averaged over both eyes."""
    side = scores["eyeLookOutLeft"] - scores["eyeLookInLeft"]
    side += scores["eyeLookInRight"] - scores["eyeLookOutRight"]
    up = scores["eyeLookUpLeft"] - scores["eyeLookDownLeft"]
    up += scores["eyeLookUpRight"] - scores["eyeLookDownRight"]
    return side / 2 - _LOOK_SIDE_BIAS, up / 2


def _iris_direction(points: Numbers, yaw: float, pitch: float) -> tuple[float, float]:
    """Return the eye direction relative to the camera in degrees, from the positions of the irises.

    An iris is on a sphere around the eye's centre. Seen from the camera, its distance from that
    centre is the radius times the sine of the gaze angle; the centre itself moves with the head.
    """
    radians = math.radians(yaw), math.radians(pitch)
    facing = np.array([-math.sin(radians[0]) * math.cos(radians[1]), math.sin(radians[1])])
    corners = points[_EYES[1][0]] - points[_EYES[0][0]]
    px_per_cm = float(np.hypot(*corners)) / (_OUTER_CORNERS_CM * math.cos(radians[0]))
    rest = np.array([0.0, _REST_HEIGHT_CM])
    directions, weights = [], []
    for outer, inner, iris in _EYES:
        offset = points[iris] - (points[outer] + points[inner]) / 2
        seen = np.array([offset[0], -offset[1]]) / px_per_cm
        directions.append((seen + _EYE_DEPTH_CM * facing - rest) / _IRIS_RADIUS_CM)
        weights.append(float(np.hypot(*(points[outer] - points[inner]))))
    mean = np.average(np.array(directions), axis=0, weights=weights).clip(-1, 1)
    return math.degrees(-math.asin(mean[0])), math.degrees(math.asin(mean[1]))
