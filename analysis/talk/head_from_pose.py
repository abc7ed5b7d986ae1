"""Head direction from body points, for pictures without a detected face."""

from __future__ import annotations

import numpy as np

from analysis.ports import POSE_POINTS, FloatArray

_CLEAR = 0.5
_NOSE = POSE_POINTS.index("nose")
_SHOULDERS = slice(POSE_POINTS.index("left_shoulder"), POSE_POINTS.index("right_shoulder") + 1)


def is_turned_away(pose: FloatArray) -> bool:
    """Return whether a clearly visible person shows no face, so the head is
    turned away or hidden.
    """
    visible = np.nan_to_num(pose[:, 2], nan=0.0)
    return bool(visible[_SHOULDERS].min() >= _CLEAR and visible[_NOSE] > 0)
