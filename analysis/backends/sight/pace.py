"""Adaptive sampling: extra pictures between samples where movement is fast."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.backends.media.frames import LazyFrame
from analysis.backends.sight.face import Face
from analysis.ports import POSE_POINTS, FloatArray

BETWEEN = 2
"""Factor by which decoding is denser than sampling."""

# Limits between consecutive samples: a turn that may enter or leave the limits of facing (8
# degrees), or a wrist as fast as a stroke (1 shoulder width per second, at five samples per
# second).
_TURN_DEGREES = 8.0
_WRIST_WIDTHS = 0.2
_CLEAR = 0.5
# The points of a motionless body vary by up to 0.05 shoulder widths between samples (n = 17
# recordings). Between two samples 0.4 s apart that agree this closely there is nothing to see. The
# visibility of a point may differ by this much.
_STILL_WIDTHS = 0.05
_AS_CLEAR = 0.3
_TOLERANCE = 0.001
# A motionless face: if two samples 0.4 s apart agree this closely, the head between them is within
# 1.5 degrees of their mean and the gaze within 2.4 (95%, n = 562 in 17 recordings).
_STILL_HEAD_DEGREES, _STILL_EYES_DEGREES = 2.0, 3.0
_STILL_HEIGHTS = 0.1
# Longest gap, two samples and a half, over which a state is interpolated. Recordings with one
# picture per second, or with interruptions, exceed it.
_STILL_SECONDS = 0.5
# An extra picture costs as much as a sample: three per twenty samples keep a restless talk within
# the stage's budget. Unused tokens of calm seconds may be spent later.
_TOKENS_A_SAMPLE = 0.15
_MOST_TOKENS = 10.0

_SHOULDERS = slice(POSE_POINTS.index("left_shoulder"), POSE_POINTS.index("right_shoulder") + 1)
_BODY = slice(POSE_POINTS.index("left_shoulder"), None)
_WRISTS = slice(POSE_POINTS.index("left_wrist"), POSE_POINTS.index("right_wrist") + 1)
# A blink changes the eye readings, not the gaze: open eyes stay below 0.3.
_OPEN_UNDER = 0.3


@dataclass(slots=True)
class TokenBucket:
    """Token bucket that decides on extra pictures and bounds their cost."""

    _tokens: float = 0.0

    def takes(self, *, moved: bool) -> bool:
        """Add a sample and return whether to examine the picture before it as well."""
        self._tokens = min(_MOST_TOKENS, self._tokens + _TOKENS_A_SAMPLE)
        if not moved or self._tokens < 1:
            return False
        self._tokens -= 1
        return True


def with_extra_pictures(
    moments: Iterable[LazyFrame], per_second: float
) -> Iterator[tuple[LazyFrame, LazyFrame | None]]:
    """Yield each sample with the picture about half-way to the previous one, or None.

    The samples are the same as without extra pictures.
    """
    step, due = 1.0 / per_second, -math.inf
    between: LazyFrame | None = None
    for moment in moments:
        if moment.time < due - _TOLERANCE:
            between = between or moment
            continue
        due = (math.floor((moment.time + _TOLERANCE) / step) + 1) * step
        yield moment, between
        between = None


def has_turned(before: Face | None, now: Face | None) -> bool:
    """Return whether head or eyes turned far enough to change facing, or the face appeared or
    vanished.
    """
    if before is None or now is None:
        return (before is None) != (now is None)
    turned = [now.yaw - before.yaw, now.pitch - before.pitch]
    if before.eyes and now.eyes and _are_open(before, now):
        turned += [turned[0] + now.eyes[0] - before.eyes[0]]
        turned += [turned[1] + now.eyes[1] - before.eyes[1]]
    return max(map(abs, turned)) > _TURN_DEGREES


def is_close_in_time(before: float, now: float) -> bool:
    """Return whether the two times are close enough to assume the same state in between."""
    return now - before <= _STILL_SECONDS


def is_face_still(before: Sequence[Face], now: Sequence[Face]) -> bool:
    """Return whether both samples show one face with the same direction and position, eyes open."""
    if len(before) != 1 or len(now) != 1 or not _are_open(before[0], now[0]):
        return False
    one, other = before[0], now[0]
    turned = (other.yaw - one.yaw, other.pitch - one.pitch, other.roll - one.roll)
    if max(map(abs, turned)) > _STILL_HEAD_DEGREES or (one.eyes is None) != (other.eyes is None):
        return False
    if one.eyes and other.eyes:
        looked = (other.eyes[0] - one.eyes[0], other.eyes[1] - one.eyes[1])
        if max(map(abs, looked)) > _STILL_EYES_DEGREES:
            return False
    reach = _STILL_HEIGHTS * one.height
    return math.dist(one.centre, other.centre) <= reach >= abs(other.height - one.height)


def _are_open(one: Face, other: Face) -> bool:
    """Return whether the eyes are open in both; unreadable eyes count as open."""
    return not max(one.blink, other.blink) >= _OPEN_UNDER


def has_wrist_moved(before: FloatArray, now: FloatArray) -> bool:
    """Return whether a wrist moved as fast as in a stroke, relative to the shoulders."""
    clear = np.minimum(before[:, 2], now[:, 2]) >= _CLEAR  # a missing body is NaN: not clear
    if not clear[_SHOULDERS].all():
        return False
    left, right = now[_SHOULDERS, :2]
    carried = (now - before)[_SHOULDERS, :2].mean(axis=0)
    moved = np.hypot(*((now - before)[_WRISTS, :2] - carried).T)
    far = _WRIST_WIDTHS * float(np.hypot(*(left - right)))
    return bool((clear[_WRISTS] & (moved > far)).any())


def is_body_still(before: FloatArray, now: FloatArray) -> bool:
    """Return whether the body did not move between two samples; also True if both have no body."""
    is_nobody = [not np.isfinite(pose[0, 0]) for pose in (before, now)]
    if any(is_nobody):
        return all(is_nobody)
    if (np.abs(before[:, 2] - now[:, 2]) > _AS_CLEAR).any():
        return False
    clear = np.minimum(before[_BODY, 2], now[_BODY, 2]) >= _CLEAR
    left, right = now[_SHOULDERS, :2]
    moved = np.hypot(*(now - before)[_BODY, :2].T)
    return not (moved[clear] > _STILL_WIDTHS * float(np.hypot(*(left - right)))).any()
