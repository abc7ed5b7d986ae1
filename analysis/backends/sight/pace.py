"""Where movement asks for more pictures: between which two samples it is worth looking again."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.backends.media.frames import LazyFrame
from analysis.backends.sight.face import Face
from analysis.ports import POSE_POINTS, FloatArray

BETWEEN = 2
"""Pictures are decoded so many times as often as they are looked at."""

# From one sample to the next: a turn that can lead into or out of the limits of facing (8 degrees),
# or a wrist as fast as a stroke (1 shoulder width a second, at five samples a second).
_TURN_DEGREES = 8.0
_WRIST_WIDTHS = 0.2
_CLEAR = 0.5
# The points of a body that stands still lie up to 0.05 shoulder widths apart from one look to the
# next (n = 17 recordings): between two looks 0.4 s apart that agree so well there is nothing to
# see. A point may be clearer in one of them by so much.
_STILL_WIDTHS = 0.05
_AS_CLEAR = 0.3
_TOLERANCE = 0.001
# A face that holds still: where two looks 0.4 s apart agree so well, the head between them lies
# within 1.5 degrees of their middle and the gaze within 2.4 (95%, n = 562 in 17 recordings).
_STILL_HEAD_DEGREES, _STILL_EYES_DEGREES = 2.0, 3.0
_STILL_HEIGHTS = 0.1
# Nothing is known of what lies between looks further apart, as where a recording has one picture a
# second or was paused: two samples and a half.
_STILL_SECONDS = 0.5
# Looking again costs as much as a sample: three more for twenty keep a restless talk within the
# stage's budget. What calm seconds save may be spent in the next lively ones.
_TOKENS_A_SAMPLE = 0.15
_MOST_TOKENS = 10.0

_SHOULDERS = slice(POSE_POINTS.index("left_shoulder"), POSE_POINTS.index("right_shoulder") + 1)
_BODY = slice(POSE_POINTS.index("left_shoulder"), None)
_WRISTS = slice(POSE_POINTS.index("left_wrist"), POSE_POINTS.index("right_wrist") + 1)
# A blink turns what is read of the eyes, not the gaze: open eyes stay under 0.3.
_OPEN_UNDER = 0.3


@dataclass(slots=True)
class TokenBucket:
    """A token bucket: says when to look again, and sees to it that the cost stays bounded."""

    _tokens: float = 0.0

    def takes(self, *, moved: bool) -> bool:
        """Take in a sample; whether to look at the picture before it as well."""
        self._tokens = min(_MOST_TOKENS, self._tokens + _TOKENS_A_SAMPLE)
        if not moved or self._tokens < 1:
            return False
        self._tokens -= 1
        return True


def paced(
    moments: Iterable[LazyFrame], per_second: float
) -> Iterator[tuple[LazyFrame, LazyFrame | None]]:
    """Each sample with the picture about half-way from the one before, if there is one.

    The samples are those that would be taken without looking for what lies between.
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
    """Whether head or eyes turned so far that facing may have begun or ended; or the face went."""
    if before is None or now is None:
        return (before is None) != (now is None)
    turned = [now.yaw - before.yaw, now.pitch - before.pitch]
    if before.eyes and now.eyes and _are_open(before, now):
        turned += [turned[0] + now.eyes[0] - before.eyes[0]]
        turned += [turned[1] + now.eyes[1] - before.eyes[1]]
    return max(map(abs, turned)) > _TURN_DEGREES


def is_near(before: float, now: float) -> bool:
    """Whether what was the same at both times was so in between."""
    return now - before <= _STILL_SECONDS


def holds_still(before: Sequence[Face], now: Sequence[Face]) -> bool:
    """Whether there is one face, eyes open, that is turned and stands as it did, eyes included."""
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
    """Both times the eyes; not to be read, they count as open."""
    return not max(one.blink, other.blink) >= _OPEN_UNDER


def has_stirred(before: FloatArray, now: FloatArray) -> bool:
    """Whether a wrist moved, relative to the shoulders, as fast as in a stroke."""
    clear = np.minimum(before[:, 2], now[:, 2]) >= _CLEAR  # nobody's points are NaN: not clear
    if not clear[_SHOULDERS].all():
        return False
    left, right = now[_SHOULDERS, :2]
    carried = (now - before)[_SHOULDERS, :2].mean(axis=0)
    moved = np.hypot(*((now - before)[_WRISTS, :2] - carried).T)
    far = _WRIST_WIDTHS * float(np.hypot(*(left - right)))
    return bool((clear[_WRISTS] & (moved > far)).any())


def is_calm(before: FloatArray, now: FloatArray) -> bool:
    """Whether a body stood still from one look to the next; so does nobody's."""
    is_nobody = [not np.isfinite(pose[0, 0]) for pose in (before, now)]
    if any(is_nobody):
        return all(is_nobody)
    if (np.abs(before[:, 2] - now[:, 2]) > _AS_CLEAR).any():
        return False
    clear = np.minimum(before[_BODY, 2], now[_BODY, 2]) >= _CLEAR
    left, right = now[_SHOULDERS, :2]
    moved = np.hypot(*(now - before)[_BODY, :2].T)
    return not (moved[clear] > _STILL_WIDTHS * float(np.hypot(*(left - right)))).any()
