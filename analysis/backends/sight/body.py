"""Body points from the pose landmarker, and the head region that they imply."""

from __future__ import annotations

import numpy as np

from analysis.backends.sight.marks import BodyDetections
from analysis.ports import POSE_POINTS, FloatArray

# The landmarker's indices of POSE_POINTS, in their order.
_POSE_INDICES = [0, 7, 8, 11, 12, 13, 14, 15, 16, 23, 24]
_CLEARLY_VISIBLE = 0.5

Region = tuple[float, float, float]
"""Centre (x, y) and height of a head, in picture widths."""


def pose_points(found: BodyDetections, width: int, height: int) -> FloatArray:
    """Return POSE_POINTS of the first person, shape (points, 3): x and y in picture widths,
    visibility (0 outside).
    """
    if not found.bodies:
        return no_pose()
    x, y, visible, present = found.bodies[0][_POSE_INDICES].T
    is_inside = (x >= 0) & (x < 1) & (y >= 0) & (y < 1)
    clear = np.where(is_inside, np.minimum(visible, present), 0.0)
    return np.stack([x, y * height / width, clear], axis=1).astype(np.float32)


def head_region(pose: FloatArray) -> Region | None:
    """Return centre and height of the head implied by a pose, in picture widths; None without a
    nose.

    The height is 1.3 times the distance between the ears, or half the distance between the
    shoulders, whichever is larger: from the side the ears coincide. Rules of thumb.
    """
    nose, left_ear, right_ear, left_shoulder, right_shoulder = pose[:5]
    if not np.isfinite(nose[0]) or nose[2] < _CLEARLY_VISIBLE:
        return None
    ears = float(np.hypot(*(left_ear[:2] - right_ear[:2])))
    shoulders = float(np.hypot(*(left_shoulder[:2] - right_shoulder[:2])))
    centre = (nose[:2] + (left_ear[:2] + right_ear[:2]) / 2) / 2
    return float(centre[0]), float(centre[1]), max(1.3 * ears, 0.5 * shoulders)


def no_pose() -> FloatArray:
    """Return the points for a picture without a body: all NaN."""
    return np.full((len(POSE_POINTS), 3), np.nan, dtype=np.float32)
