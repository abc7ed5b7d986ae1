"""Arm measures: arms crossed, hands hidden, hand at the face. Interpretation is left to people."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from analysis.ports import Measured
from analysis.results import Event, Measurement, Quality, Reason, Skipped
from analysis.talk.body_view import (
    body_samples,
    hands_problem,
    has_elbows,
    has_hips,
    has_shoulders,
    has_wrist,
    point,
    seldom_seen,
    shoulder_width,
)
from analysis.talk.face_view import has_face
from analysis.talk.statistics import rate_interval
from analysis.talk.talk import Talk
from analysis.talk.visual_samples import (
    Flags,
    Numbers,
    VisualSamples,
    episodes,
    share_interval,
    smooth_states,
)

CROSSED, TOUCH = "posture.arms_crossed_share", "posture.self_touch_per_minute"
HIDDEN = "posture.hands_hidden_share"

# A wrist nearer than this to the other elbow (shoulder widths), on the other side of the body.
# Rule of thumb: a forearm is about 0.7 shoulder widths long.
_ELBOW_REACH = 0.45
_HOLD_SECONDS = 0.3
_CROSSED_SECONDS = 2.0
_TOUCH_SECONDS = 0.5
# A hand that the landmarker loses for a moment is not hidden (rule of thumb).
_HIDDEN_SECONDS = 2.0
_SHORTEST_FOR_RATE = 30.0

_NO_HANDS = Skipped.because(Reason.DISABLED_BY_PROFILE, "hands_switched_off")
_NO_FACE = Skipped.because(Reason.DISABLED_BY_PROFILE, "face_at_hands_switched_off")


class Arms:
    """Analyser of crossed arms, hidden hands and face touching; each needs its own landmarks in
    view.
    """

    name = "arms"
    provides: tuple[str, ...] = (CROSSED, TOUCH, HIDDEN)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        if "gesture" in talk.options.skip:
            return Measured(skipped=dict.fromkeys(self.provides, _NO_HANDS))
        samples = body_samples(talk)
        if not isinstance(samples, Skipped):
            samples = hands_problem(samples) or samples
        if isinstance(samples, Skipped):
            return Measured(skipped=dict.fromkeys(self.provides, samples))
        events: list[Event] = []
        found: Mapping[str, Measurement | Skipped] = {
            CROSSED: _measure_crossed_arms(samples, events),
            TOUCH: _measure_self_touch(samples, events),
            HIDDEN: _measure_hidden_hands(samples, events),
        }
        return Measured(
            measurements={k: v for k, v in found.items() if isinstance(v, Measurement)},
            skipped={k: v for k, v in found.items() if isinstance(v, Skipped)},
            events=tuple(events),
        )


def _measure_crossed_arms(samples: VisualSamples, events: list[Event]) -> Measurement | Skipped:
    known = has_shoulders(samples) & has_elbows(samples)
    problem = seldom_seen(
        samples,
        known,
        "elbows_seldom",
    )
    if problem is not None:
        return problem
    crossed = arms_crossed(samples) & known
    events += _events(samples, crossed, "arms_crossed", _CROSSED_SECONDS)
    return _share(samples, crossed, known)


def _measure_hidden_hands(samples: VisualSamples, events: list[Event]) -> Measurement | Skipped:
    known = has_shoulders(samples) & has_elbows(samples) & has_hips(samples)
    problem = seldom_seen(
        samples,
        known,
        "elbows_and_hips_seldom",
    )
    if problem is not None:
        return problem
    hidden = hands_hidden(samples) & known
    events += _events(samples, hidden, "hands_hidden", _HIDDEN_SECONDS)
    return _share(samples, hidden, known)


def _measure_self_touch(samples: VisualSamples, events: list[Event]) -> Measurement | Skipped:
    if "face" not in samples.sight.watched:
        return _NO_FACE
    known = has_shoulders(samples) & has_face(samples)
    seconds = float((samples.seconds * known).sum())
    if seconds < _SHORTEST_FOR_RATE:
        return Skipped.because(
            Reason.TOO_SHORT, "touch_short", seconds=seconds, needed=_SHORTEST_FOR_RATE
        )
    touches = _events(samples, self_touch(samples), "self_touch", _TOUCH_SECONDS)
    events += touches
    return Measurement(
        value=len(touches) / seconds * 60,
        unit="per minute",
        n=len(touches),
        coverage=min(1.0, samples.speech_share(known)),
        quality=Quality.FAIR,
        interval=rate_interval(len(touches), seconds / 60),
    )


def arms_crossed(samples: VisualSamples) -> Flags:
    """Return a flag per sample: each wrist is near the other elbow and past the body's midline."""
    width = shoulder_width(samples)
    points = {
        name: point(samples, name)
        for name in ("left_wrist", "right_wrist", "left_elbow", "right_elbow")
    }
    with np.errstate(invalid="ignore"):
        left_near = _distance(points["left_wrist"], points["right_elbow"]) < _ELBOW_REACH * width
        right_near = _distance(points["right_wrist"], points["left_elbow"]) < _ELBOW_REACH * width
        # The speaker's left is at the right of the picture, unless mirrored or seen from behind.
        elbows = points["left_elbow"][:, 0] - points["right_elbow"][:, 0]
        wrists = points["left_wrist"][:, 0] - points["right_wrist"][:, 0]
        swapped = elbows * wrists < 0
    crossed: Flags = left_near & right_near & swapped
    return _smoothed(samples, crossed)


def self_touch(samples: VisualSamples) -> Flags:
    """Return a flag per sample: a wrist is in the box of face and neck, or a hand's length below
    it.
    """
    box = samples.sight.face_box.astype(np.float64)
    width = samples.picture_width or 1
    box = box / width
    touching = np.zeros(len(box), dtype=bool)
    for name in ("left_wrist", "right_wrist"):
        wrist = point(samples, name)
        with np.errstate(invalid="ignore"):
            aside = np.abs(wrist[:, 0] - box[:, 0] - box[:, 2] / 2) < 0.75 * box[:, 2]
            # A wrist is a hand's length below what its fingers touch.
            below = wrist[:, 1] - box[:, 1]
            touching |= aside & (below > 0) & (below < 1.5 * box[:, 3])
    return _smoothed(samples, touching & has_face(samples))


def hands_hidden(samples: VisualSamples) -> Flags:
    """Return a flag per sample: neither wrist is visible.

    Behind the back, in pockets or behind a lectern: the picture cannot tell which. Callers restrict
    it to samples in which the hips are visible.
    """
    unseen = (~has_wrist(samples)).astype(np.float64)
    hidden: Flags = smooth_states(unseen, samples.seconds, hold=_HIDDEN_SECONDS) == 1
    return hidden


def _distance(one: Numbers, other: Numbers) -> Numbers:
    between = one - other
    return np.hypot(between[:, 0], between[:, 1])


def _smoothed(samples: VisualSamples, flags: Flags) -> Flags:
    steady: Flags = (
        smooth_states(flags.astype(np.float64), samples.seconds, hold=_HOLD_SECONDS) == 1
    )
    return steady


def _events(samples: VisualSamples, flags: Flags, kind: str, shortest: float) -> list[Event]:
    return [
        Event(kind=kind, start=start, end=end)
        for _, _, start, end in episodes(samples, flags, shortest=shortest)
    ]


def _share(samples: VisualSamples, flags: Flags, known: Flags) -> Measurement:
    value = samples.speech_share(flags, known)
    low, high = share_interval(samples, flags, known)
    return Measurement(
        value=value,
        unit="share",
        n=int((known & (samples.speech > 0)).sum()),
        coverage=min(1.0, samples.speech_share(known)),
        quality=Quality.FAIR,
        interval=(min(low, value), max(high, value)),
    )
