"""The body's points as the pose landmarker gives them, and the head that they imply."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.ports import POSE_POINTS, FloatArray

# The landmarker's numbers of the points that we keep, in the order of POSE_POINTS.
_POSE_INDICES = (0, 7, 8, 11, 12, 13, 14, 15, 16, 23, 24)
_CLEARLY_VISIBLE = 0.5

Region = tuple[float, float, float]
"""Centre and height of a head, in picture widths."""


def pose_points(result: Any, width: int, height: int) -> FloatArray:
    """POSE_POINTS of the first person: x and y in picture widths, visibility (0 outside)."""
    if not result.pose_landmarks:
        return no_pose()
    landmarks = result.pose_landmarks[0]
    rows = []
    for index in _POSE_INDICES:
        point = landmarks[index]
        is_inside = 0 <= point.x < 1 and 0 <= point.y < 1
        visibility = min(point.visibility, point.presence) if is_inside else 0.0
        rows.append((point.x, point.y * height / width, visibility))
    return np.array(rows, dtype=np.float32)


def head_region(pose: FloatArray) -> Region | None:
    """Centre and height of the head that a pose implies, in picture widths.

    A head is as high as 1.3 times the distance of the ears or half that of the shoulders,
    whichever is more: from the side the ears fall together. Rules of thumb.
    """
    nose, left_ear, right_ear, left_shoulder, right_shoulder = pose[:5]
    if not np.isfinite(nose[0]) or nose[2] < _CLEARLY_VISIBLE:
        return None
    ears = float(np.hypot(*(left_ear[:2] - right_ear[:2])))
    shoulders = float(np.hypot(*(left_shoulder[:2] - right_shoulder[:2])))
    centre = (nose[:2] + (left_ear[:2] + right_ear[:2]) / 2) / 2
    return float(centre[0]), float(centre[1]), max(1.3 * ears, 0.5 * shoulders)


def no_pose() -> FloatArray:
    """The points of nobody."""
    return np.full((len(POSE_POINTS), 3), np.nan, dtype=np.float32)
