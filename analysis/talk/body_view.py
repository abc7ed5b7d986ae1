"""Body view: visibility of shoulders and hands, and their positions."""

from __future__ import annotations

import numpy as np

from analysis.ports import POSE_POINTS
from analysis.results import Reason, Skipped
from analysis.talk.face_view import (
    LEAST_FACE_PX,
    ON_ITS_SIDE,
    implied_head_px,
    lies_on_its_side,
    too_dark,
)
from analysis.talk.talk import Talk
from analysis.talk.visual_samples import Flags, Numbers, VisualSamples, visual_samples

CLEAR = 0.5
"""Visibility from which a point counts as seen, the pose landmarker's own default."""
LEAST_SEEN_SHARE = 0.6


def point(samples: VisualSamples, name: str) -> Numbers:
    """Return x and y of a point in picture widths, shape (n, 2); NaN if it was not clearly seen."""
    rows = samples.sight.pose[:, POSE_POINTS.index(name)].astype(np.float64)
    return np.where(rows[:, 2:] >= CLEAR, rows[:, :2], np.nan)


def has_shoulders(samples: VisualSamples) -> Flags:
    """Return a flag per sample: both shoulders are in the picture."""
    return _has_both(samples, "shoulder")


def has_elbows(samples: VisualSamples) -> Flags:
    """Return a flag per sample: both elbows are in the picture."""
    return _has_both(samples, "elbow")


def has_hips(samples: VisualSamples) -> Flags:
    """Return a flag per sample: both hips are in the picture."""
    return _has_both(samples, "hip")


def _has_both(samples: VisualSamples, name: str) -> Flags:
    left, right = point(samples, f"left_{name}"), point(samples, f"right_{name}")
    return np.isfinite(left[:, 0]) & np.isfinite(right[:, 0])


def shoulder_width(samples: VisualSamples) -> float:
    """Return the usual distance between the shoulders in picture widths, the unit of movement."""
    between = point(samples, "left_shoulder") - point(samples, "right_shoulder")
    widths = np.hypot(between[:, 0], between[:, 1])
    known = widths[np.isfinite(widths)]
    # A high percentile: shoulders seen from the side look narrower, never wider.
    return float(np.percentile(known, 75)) if len(known) else float("nan")


def body_samples(talk: Talk) -> VisualSamples | Skipped:
    """Return the samples of a talk with both shoulders in the picture, or why there are none."""
    samples = visual_samples(talk)
    if isinstance(samples, Skipped):
        return samples
    return body_problem(samples) or samples


def body_problem(samples: VisualSamples) -> Skipped | None:
    """Return why posture cannot be measured, or None."""
    if "pose" not in samples.sight.watched:
        return Skipped.because(Reason.DISABLED_BY_PROFILE, "body_switched_off")
    if (short := samples.too_short) is not None:
        return short
    if lies_on_its_side(samples):
        return ON_ITS_SIDE
    # Size first: moving the camera back does not help a person who is far away.
    return _size_problem(samples) or _shoulders_problem(samples)


def _shoulders_problem(samples: VisualSamples) -> Skipped | None:
    problem = seldom_seen(samples, has_shoulders(samples), "shoulders_seldom")
    # Stepping back does not show shoulders through a covered lens or in the dark.
    return problem and (too_dark(samples) or problem)


def seldom_seen(samples: VisualSamples, flags: Flags, code: str) -> Skipped | None:
    """Return why a part that was visible too rarely cannot be measured, or None.

    The sentence of `code` takes `seen`, `base` and `needed`.
    """
    seen = samples.speech_share(flags)
    if seen >= LEAST_SEEN_SHARE:
        return None
    return Skipped.because(
        Reason.FRAMING, code, seen=seen, base=samples.base, needed=LEAST_SEEN_SHARE
    )


def _size_problem(samples: VisualSamples) -> Skipped | None:
    seen = np.isfinite(samples.sight.face_box[:, 3])
    heights = samples.sight.face_box[seen, 3]
    height = float(np.median(heights)) if len(heights) else implied_head_px(samples)
    if 0 < height < LEAST_FACE_PX:
        return Skipped.because(
            Reason.FACE_TOO_SMALL, "person_small", height=height, needed=LEAST_FACE_PX
        )
    return None


def hands_problem(samples: VisualSamples) -> Skipped | None:
    """Return why hands cannot be measured, or None; the waist must be in the picture.

    Elbows show whether the picture reaches low enough. With head and shoulders alone, unseen hands
    say nothing about their position.
    """
    elbows = np.isfinite(point(samples, "left_elbow")[:, 0]) | np.isfinite(
        point(samples, "right_elbow")[:, 0]
    )
    wrists = has_wrist(samples)
    share = samples.speech_share(elbows | wrists)
    if share >= LEAST_SEEN_SHARE:
        return None
    return Skipped.because(Reason.FRAMING, "head_and_shoulders_only")


def has_wrist(samples: VisualSamples) -> Flags:
    """Return a flag per sample: at least one wrist is clearly in the picture."""
    left, right = point(samples, "left_wrist"), point(samples, "right_wrist")
    return np.isfinite(left[:, 0]) | np.isfinite(right[:, 0])


def still_camera(samples: VisualSamples) -> Numbers:
    """Return the background's displacement since the first sample, shape (n, 2), in picture widths.

    Where the background could not be matched, the camera is assumed to be still.
    """
    shift = np.nan_to_num(samples.sight.camera_shift.astype(np.float64), nan=0.0)
    return np.cumsum(shift, axis=0)
