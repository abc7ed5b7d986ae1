"""Gaze aversion: episodes of looking away, with direction and length."""

from __future__ import annotations

import numpy as np

from analysis.results import Event
from analysis.talk.face_view import LEAST_FACE_PX, has_face, implied_head_px
from analysis.talk.facing import FacingLimits, Gaze, Zero, facing
from analysis.talk.visual_samples import Flags, Numbers, VisualSamples, episodes

SHORTEST_SECONDS = 1.0
_NOTES_PITCH, _NOTES_SECONDS = -20.0, 2.0
_SCREEN_YAW = 50.0
# A head lost from sight when turned this far continued to turn (rule of thumb).
_TURNING_YAW = 25.0
_CLEAR = 0.5
_MOSTLY = 0.5
_SEEN_SHARE = 0.3
_WITHOUT_DIRECTION = ("closed", "unseen")
_BEFORE_SAMPLES = 3


def faces_away(samples: VisualSamples) -> Flags:
    """Return a flag per sample: a clear body without a face, so the head is turned away or hidden.

    Only if the person is close enough for a visible face to be found.
    """
    if implied_head_px(samples) < LEAST_FACE_PX:
        return np.zeros(len(samples.times), dtype=bool)
    shoulders = samples.sight.pose[:, 3:5, 2]
    nose = samples.sight.pose[:, 0, 2]
    is_clear: Flags = (shoulders > _CLEAR).all(axis=1) & (nose > 0)
    return is_clear & ~has_face(samples)


def look_aways(
    samples: VisualSamples,
    gaze: Gaze,
    zero: Zero,
    limits: FacingLimits,
    state: Numbers,
) -> tuple[Event, ...]:
    """Return episodes of at least a second, each with a label and details."""
    events = []
    outside = np.isfinite(gaze.yaw) & ~facing(gaze, zero, limits)
    for first, behind, start, end in episodes(samples, state == 0, shortest=SHORTEST_SECONDS):
        yaw, pitch = _direction(gaze, zero, first, behind, outside)
        label = _label(yaw, pitch, limits, is_seen=_is_seen(gaze, first, behind))
        events.append(
            Event(
                kind="look_away",
                start=start,
                end=end,
                label=label,
                detail=_detail(samples, gaze, (first, behind), yaw, pitch)
                | ({"direction": ""} if label in _WITHOUT_DIRECTION else {}),
            )
        )
    return tuple(events)


def _direction(
    gaze: Gaze, zero: Zero, first: int, behind: int, outside: Flags
) -> tuple[float, float]:
    """Return the median direction of the episode; without a face, the direction just before it.

    Only samples that are away are used, since an episode may bridge short looks back.
    """
    yaw, pitch = gaze.yaw[first:behind] - zero.yaw, gaze.pitch[first:behind] - zero.pitch
    if _is_seen(gaze, first, behind):
        chosen = outside[first:behind]
        chosen = chosen if chosen.any() else np.isfinite(yaw)
        return float(np.median(yaw[chosen])), float(np.median(pitch[chosen]))
    begin = max(0, first - _BEFORE_SAMPLES)
    before = gaze.yaw[begin : first + 1], gaze.pitch[begin : first + 1]
    known = np.isfinite(before[0])
    if not known.any():
        return float("nan"), float("nan")
    last_yaw = float(before[0][known][-1] - zero.yaw)
    last_pitch = float(before[1][known][-1] - zero.pitch)
    if abs(last_yaw) >= _TURNING_YAW:
        return float(np.copysign(_SCREEN_YAW + 1, last_yaw)), last_pitch
    return last_yaw, last_pitch


def _is_seen(gaze: Gaze, first: int, behind: int) -> bool:
    """Return whether the face was visible for enough of an episode to measure its direction."""
    return bool(np.isfinite(gaze.yaw[first:behind]).mean() >= _SEEN_SHARE)


def _label(yaw: float, pitch: float, limits: FacingLimits, *, is_seen: bool) -> str:
    if not np.isfinite(yaw):
        return "unseen"
    if abs(yaw) > _SCREEN_YAW:
        return "screen"
    aside = abs(yaw) / limits.yaw
    if -pitch / limits.down > max(aside, 1.0):
        return "down"
    if pitch / limits.up > max(aside, 1.0):
        return "up"
    if aside > 1.0:
        return "side"
    # Within all limits: either the eyes were closed, or the face was lost from sight (bent over
    # notes, turned round, hidden) before it was seen to turn.
    return "closed" if is_seen else "unseen"


def _detail(
    samples: VisualSamples, gaze: Gaze, span: tuple[int, int], yaw: float, pitch: float
) -> dict[str, object]:
    """Return the speaker's own left or right, the angles, and whether it looks like notes."""
    first, behind = span
    if not np.isfinite(yaw):
        return {"direction": "", "face_seen": False}
    seconds = samples.seconds[first:behind]
    with np.errstate(invalid="ignore"):
        low = float(seconds[gaze.pitch[first:behind] < _NOTES_PITCH].sum())
    return {
        "direction": "right" if yaw > 0 else "left",
        "yaw_degrees": round(yaw, 1),
        "pitch_degrees": round(pitch, 1),
        "notes": low >= _NOTES_SECONDS,
        "eyes_closed": bool(gaze.is_closed[first:behind].mean() > _MOSTLY),
        "face_seen": _is_seen(gaze, first, behind),
    }
