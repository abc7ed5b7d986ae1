"""From one face's landmarks to where head and eyes are turned, in degrees.

Signs are those of AFLW2000: yaw is positive when the face is turned to the left of the picture,
pitch when it is turned up. Angles are relative to the line from the face to the camera.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.backends.sight.marks import FaceMarks, FoundFaces, Numbers

# The matrix of the landmarker depends on where in the picture the face stands. Measured with eight
# faces pasted at known places of 16:9 and 9:16 canvases (n = 224): it grows by about 0.27 degrees
# for each degree between the face and the optical axis; without it the spread is 5 degrees at the
# edge, with it 0.6. `python -m bench watching` measures it again.
_PLACE_SLOPE = 0.27

# Anatomy, in cm: the distance of the outer eye corners in the landmarker's canonical face; the
# eye's centre of rotation lies 0.6 behind the line of the eye corners and the iris 1.05 before it
# (eye of 24 mm, apex of the cornea 13.5 mm before the centre, iris 3 mm behind the apex); the
# pupil at rest stands 0.1 above that line.
_OUTER_CORNERS_CM = 8.89
_EYE_DEPTH_CM = 0.6
_IRIS_RADIUS_CM = 1.05
_REST_HEIGHT_CM = 0.1

# Full look-sideways and look-up/down blendshapes turn an eye by about this much (rule of thumb).
_LOOK_SIDE_DEGREES = 30.0
_LOOK_UP_DEGREES = 20.0
# The blendshapes are not symmetrical: on pictures and their mirror images (n = 53) the sideways
# scores of the two differ by twice this, whoever is shown.
_LOOK_SIDE_BIAS = 0.08

# Outer corner, inner corner, iris: the speaker's right eye, then the left one.
_EYES = ((33, 133, 468), (263, 362, 473))

EYES_FROM_PX = 75.0
"""Height of face, in pixels of the source, from which the iris has about five pixels."""
EYES_TO_YAW_DEGREES = 50.0
"""Further round than this, one eye is hidden and the other is seen from the side."""


EyePlace = tuple[float, float, float]
"""Middle of an eye, and from its outer to its inner corner."""


@dataclass(frozen=True, slots=True)
class Face:
    """One face in one picture. `eyes` are relative to the head, None where they cannot be read."""

    box: tuple[float, float, float, float]
    yaw: float
    pitch: float
    roll: float
    eyes: tuple[float, float] | None
    blink: float
    eyes_at: tuple[EyePlace, ...] = ()
    """Where the picture has the eyes, if they were looked at."""
    eye_contrast: float | None = None
    """How much there is to see in them: `picture.eye_contrast`."""

    @property
    def height(self) -> float:
        """Height of the box, from forehead to chin."""
        return self.box[3]

    @property
    def centre(self) -> tuple[float, float]:
        """Middle of the box."""
        return self.box[0] + self.box[2] / 2, self.box[1] + self.box[3] / 2


def face_between(before: Face, after: Face, share: float) -> Face:
    """The face at a share of the way from one look at it to the next."""

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
    """Where the picture that a landmarker was given lies in the source picture."""

    width: int
    height: int
    scale: float = 1.0
    """Pixels of the source for a pixel of this view."""
    left: float = 0.0
    top: float = 0.0
    reads_eyes: bool = True
    """False where a person asked not to have their gaze analysed."""


def faces_in(found: FoundFaces, view: View) -> list[Face]:
    """All faces that a landmarker found, in pixels of the source, largest first."""
    return sorted((_face(marks, view) for marks in found.faces), key=lambda face: -face.height)


def _face(marks: FaceMarks, view: View) -> Face:
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
    """Yaw, pitch and roll of a facial transformation matrix, the face's place taken out.

    Yaw and pitch say where the face points (azimuth and elevation: what facing a camera is about).
    Roll is that of AFLW2000, the turn that comes first there (about z, then y, then x); taken last,
    as azimuth and elevation would have it, it is 3 to 25 degrees off those labels beyond 30 of yaw.
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
    """Eye direction relative to the head: the mean of geometry and blendshapes."""
    side, up = _iris_direction(points, yaw, pitch)
    look_side, look_up = _look_scores(scores)
    return (
        (side - yaw - look_side * _LOOK_SIDE_DEGREES) / 2,
        (up - pitch + look_up * _LOOK_UP_DEGREES) / 2,
    )


def _look_scores(scores: dict[str, float]) -> tuple[float, float]:
    """To the speaker's left and up, -1 to 1, both eyes averaged."""
    side = scores["eyeLookOutLeft"] - scores["eyeLookInLeft"]
    side += scores["eyeLookInRight"] - scores["eyeLookOutRight"]
    up = scores["eyeLookUpLeft"] - scores["eyeLookDownLeft"]
    up += scores["eyeLookUpRight"] - scores["eyeLookDownRight"]
    return side / 2 - _LOOK_SIDE_BIAS, up / 2


def _iris_direction(points: Numbers, yaw: float, pitch: float) -> tuple[float, float]:
    """Where the eyes are turned, relative to the camera, from the place of the irises.

    An iris lies on a sphere about the eye's centre. Seen from the camera, its distance from that
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
