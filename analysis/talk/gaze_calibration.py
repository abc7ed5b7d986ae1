"""Gaze in degrees: a speaker's calibration with points at known places, and its use.

Head and eye angles of `Sight` are already degrees of an average person. The calibration corrects
them for one person by a regression on points on the screen and the lens itself, whose angles follow
from the places and from the distance of the face.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from analysis.ports import GazeCalibration, Sight
from analysis.results import Note
from analysis.talk.visual_samples import Numbers

# Average distance between the pupils of adults: 6.3 cm, SD 0.4 (Dodgson, 2004). The focal length of
# a webcam or a phone's front camera is about 0.8 of the longer side of its picture: a field of view
# of 64 degrees (rule of thumb).
_PUPILS_CM = 6.3
_FOCAL_LENGTH = 0.8
# Error of the distance: field of view 15%, pupils 6%. Without the card, the size of the screen is
# that of a usual laptop or phone, to about 20% (rules of thumb).
_DISTANCE_ERROR, _SCREEN_ERROR = 0.16, 0.20
NEAREST_CM, FARTHEST_CM = 20.0, 120.0
LEAST_POINTS = 7
"""Points of ten that must have been seen: with fewer, a corner of the screen is missing."""
_LEAST_LOOKS = 2
_MOST_OF_SPREAD = 0.6
"""Share of the points' own spread from which an error on points left out means that the eyes did
not follow them (rule of thumb): about 8 degrees on a laptop, 5 on a phone."""
# Few points, and a head that is held still, leave the weights open: they are drawn to those of an
# average person, as if these were known to 0.5 and a point to 3 degrees (rules of thumb).
_RIDGE = (3.0 / 0.5) ** 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationLook:
    """Angles in one picture while the speaker looked at a point, and the point's place.

    `right_cm` and `down_cm` are the point's distance from the lens, as the speaker sees the screen.
    """

    point: int
    right_cm: float
    down_cm: float
    head: tuple[float, float]
    eyes: tuple[float, float]
    distance_cm: float

    @classmethod
    def of(cls, row: Sequence[float]) -> Self:
        """Return the look of eight numbers, in the order of the fields."""
        point, right, down, yaw, pitch, eye_yaw, eye_pitch, distance = map(float, row)
        return cls(
            point=int(point),
            right_cm=right,
            down_cm=down,
            head=(yaw, pitch),
            eyes=(eye_yaw, eye_pitch),
            distance_cm=distance,
        )


@dataclass(frozen=True, slots=True)
class FittedCalibration:
    """Calibration with the number of points and the distance that it rests on."""

    calibration: GazeCalibration
    points: int
    distance_cm: float


def distance_cm(pupils_px: float, longer_side_px: float) -> float:
    """Return the distance of a face whose pupils are this far apart in the picture."""
    return _FOCAL_LENGTH * longer_side_px * _PUPILS_CM / pupils_px


def fit_calibration(
    looks: Sequence[CalibrationLook], *, shown: int, knows_screen: bool
) -> FittedCalibration | Note:
    """Fit the calibration, or return why it cannot be used.

    `shown` is the number of points; `knows_screen` whether the screen was measured with a card.
    """
    seen = _points(looks)
    if len(seen) < min(LEAST_POINTS, shown):
        needed = min(LEAST_POINTS, shown)
        return Note.of("calibration_eyes_seldom", found=len(seen), shown=shown, needed=needed)
    distance = float(np.median([look.distance_cm for look in looks]))
    if not NEAREST_CM <= distance <= FARTHEST_CM:
        return Note.of("calibration_far", distance=distance)
    truth = np.degrees(np.arctan2([(x, -y) for x, y, *_ in seen], distance))
    head, eyes = seen[:, 2:4], seen[:, 4:6]
    error = _left_out_error(head, eyes, truth)
    most = _MOST_OF_SPREAD * math.sqrt(float(truth.var(axis=0).sum()))
    if error > most:
        return Note.of("calibration_inexact", error=error, most=most)
    yaw, pitch = (_weights(head[:, axis], eyes[:, axis], truth[:, axis]) for axis in (0, 1))
    scale = _DISTANCE_ERROR if knows_screen else math.hypot(_DISTANCE_ERROR, _SCREEN_ERROR)
    found = GazeCalibration(yaw=yaw, pitch=pitch, error_degrees=error, scale_error=scale)
    return FittedCalibration(found, len(seen), distance)


def _points(looks: Sequence[CalibrationLook]) -> Numbers:
    """Return place and median angles of each point with enough looks, one row per point."""
    rows = []
    for point in sorted({look.point for look in looks}):
        own = [look for look in looks if look.point == point]
        if len(own) >= _LEAST_LOOKS:
            each = [(look.right_cm, look.down_cm, *look.head, *look.eyes) for look in own]
            rows.append(np.median(np.array(each), axis=0))
    return np.array(rows).reshape(-1, 6)


def _left_out_error(head: Numbers, eyes: Numbers, truth: Numbers) -> float:
    """Return the root mean square angle between each point and its estimate from the others."""
    squares = []
    for left_out in range(len(truth)):
        others = np.arange(len(truth)) != left_out
        for axis in (0, 1):
            weights = _weights(head[others, axis], eyes[others, axis], truth[others, axis])
            estimate = _angle(weights, head[left_out, axis], eyes[left_out, axis])
            squares.append(float(estimate - truth[left_out, axis]) ** 2)
    return math.sqrt(2 * float(np.mean(squares)))


def _weights(head: Numbers, eyes: Numbers, truth: Numbers) -> tuple[float, float, float]:
    """Return the ridge weights around those of an average person: 0, 1 and 1."""
    means = head.mean(), eyes.mean()
    design = np.column_stack((head - means[0], eyes - means[1]))
    rest = truth - head - eyes
    gain = np.linalg.solve(design.T @ design + _RIDGE * np.eye(2), design.T @ (rest - rest.mean()))
    of_head, of_eyes = (1 + gain).tolist()
    constant = float(truth.mean() - of_head * means[0] - of_eyes * means[1])
    return constant, of_head, of_eyes


def _angle(weights: tuple[float, float, float], head: Numbers, eyes: Numbers) -> Numbers:
    constant, of_head, of_eyes = weights
    return constant + of_head * head + of_eyes * eyes


def degrees_off_lens(sight: Sight, calibration: GazeCalibration, *, mirrored: bool) -> Numbers:
    """Return the angle between gaze and lens in each sample; NaN without eyes."""
    sign = -1.0 if mirrored else 1.0
    head, eyes = sight.head.astype(np.float64), sight.eyes.astype(np.float64)
    yaw = _angle(calibration.yaw, sign * head[:, 0], sign * eyes[:, 0])
    pitch = _angle(calibration.pitch, head[:, 1], eyes[:, 1])
    off: Numbers = np.hypot(yaw, pitch)
    return off
