"""How the person stands or sits: shoulder line, sway, crossed arms, hand to the face."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from analysis.ports import Measured, Talk
from analysis.results import Event, Measurement, Quality, Reason, Skipped
from analysis.talk.body_view import (
    hands_problem,
    has_shoulders,
    point,
    shoulder_width,
    still_camera,
    watched_body,
)
from analysis.talk.face_view import has_face
from analysis.talk.watched import (
    CENTRAL,
    Flags,
    Numbers,
    Watched,
    bootstrap,
    episodes,
    rate_interval,
    runs,
    settled,
    share_interval,
    weighted_median,
)

TILT, SWAY = "posture.shoulder_tilt_degrees", "posture.sway_shoulder_widths"
CROSSED, TOUCH = "posture.arms_crossed_share", "posture.self_touch_per_minute"

# The band of sway, and how long a stretch must be to hold the slowest of it (literature 2.15).
_SWAY_BAND_HZ = (0.2, 1.5)
_SWAY_SECONDS = 20.0
_SWAY_STEP = 0.2
# The background must be matched for this share of the time, else sway could be the camera's.
_MATCHED_SHARE = 0.5
# A wrist nearer than this to the other elbow (shoulder widths), on the other side of the body.
# Rule of thumb: a forearm is about 0.7 shoulder widths long.
_ELBOW_REACH = 0.45
_HOLD_SECONDS = 0.3
_CROSSED_SECONDS = 2.0
_TOUCH_SECONDS = 0.5
_SHORTEST_FOR_RATE = 30.0


class Posture:
    """States of the body that need both shoulders, and for two of them the arms."""

    name = "posture"
    provides: tuple[str, ...] = (TILT, SWAY, CROSSED, TOUCH)

    def measure(self, talk: Talk) -> Measured:
        """Measure or skip."""
        samples = watched_body(talk)
        if isinstance(samples, Skipped):
            return Measured(skipped=dict.fromkeys(self.provides, samples))
        found: dict[str, Measurement | Skipped] = {TILT: _tilt(samples), SWAY: _sway(samples)}
        events: tuple[Event, ...] = ()
        problem = hands_problem(samples)
        if problem is not None:
            found |= {CROSSED: problem, TOUCH: problem}
        else:
            crossed, touching = arms_crossed(samples), self_touch(samples)
            touches = _events(samples, touching, "self_touch", _TOUCH_SECONDS)
            events = (*_events(samples, crossed, "arms_crossed", _CROSSED_SECONDS), *touches)
            found |= _arms(samples, crossed, len(touches))
        return Measured(
            measurements={k: v for k, v in found.items() if isinstance(v, Measurement)},
            skipped={k: v for k, v in found.items() if isinstance(v, Skipped)},
            events=events,
        )


def _tilt(samples: Watched) -> Measurement:
    between = point(samples, "left_shoulder") - point(samples, "right_shoulder")
    degrees = np.degrees(np.arctan2(np.abs(between[:, 1]), np.abs(between[:, 0])))
    known = np.isfinite(degrees) & (samples.speech > 0)
    seconds = samples.medians(np.where(known, degrees, np.nan))
    seconds = seconds[np.isfinite(seconds)]
    draws = bootstrap(seconds, np.ones(len(seconds)))
    low, high = np.percentile(draws, CENTRAL)
    value = weighted_median(degrees[known], samples.speech[known])
    return Measurement(
        value=value,
        unit="degrees",
        n=int(known.sum()),
        coverage=min(1.0, samples.speech_share(has_shoulders(samples))),
        quality=Quality.FAIR,
        interval=(min(float(low), value), max(float(high), value)),
    )


def _sway(samples: Watched) -> Measurement | Skipped:
    stretches = [
        (first, behind)
        for first, behind in runs(has_shoulders(samples))
        if samples.seconds[first:behind].sum() >= _SWAY_SECONDS
    ]
    if not stretches:
        return Skipped(
            reason=Reason.TOO_SHORT,
            detail=f"Sway needs {_SWAY_SECONDS:.0f} s in one piece with both shoulders in view.",
        )
    matched = np.isfinite(samples.sight.camera_shift[1:, 0])
    if matched.mean() < _MATCHED_SHARE:
        return Skipped(
            reason=Reason.POOR_SIGNAL,
            detail="The background has nothing to hold on to, so movement of the camera cannot be "
            "told from yours. Put the camera on something firm, before a wall with a picture.",
        )
    pieces = [_swaying(samples, first, behind) for first, behind in stretches]
    squares = np.concatenate([piece**2 for piece in pieces])
    seconds = squares[: len(squares) // 5 * 5].reshape(-1, 5).mean(axis=1)
    low, high = np.percentile(np.sqrt(bootstrap(seconds, np.ones(len(seconds)))), CENTRAL)
    value = float(np.sqrt(squares.mean()))
    covered = sum(float(samples.speech[first:behind].sum()) for first, behind in stretches)
    return Measurement(
        value=value,
        unit="shoulder widths",
        n=len(squares),
        coverage=min(1.0, covered / float(samples.speech.sum())),
        quality=Quality.FAIR,
        interval=(min(float(low), value), max(float(high), value)),
    )


def _swaying(samples: Watched, first: int, behind: int) -> Numbers:
    """Sideways path of the shoulders' middle in the band of sway, in shoulder widths."""
    middle = (point(samples, "left_shoulder") + point(samples, "right_shoulder"))[:, 0] / 2
    path = (middle - still_camera(samples)[:, 0])[first:behind] / shoulder_width(samples)
    times = samples.times[first:behind]
    even = np.arange(times[0], times[-1], _SWAY_STEP)
    values = np.interp(even, times, path)
    values = values - np.polyval(np.polyfit(even - even[0], values, 1), even - even[0])
    spectrum = np.fft.rfft(values)
    rates = np.fft.rfftfreq(len(values), _SWAY_STEP)
    spectrum[(rates < _SWAY_BAND_HZ[0]) | (rates > _SWAY_BAND_HZ[1])] = 0
    swaying: Numbers = np.fft.irfft(spectrum, n=len(values))
    return swaying


def arms_crossed(samples: Watched) -> Flags:
    """Each wrist near the other arm's elbow and past the middle of the body."""
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
    return _steady(samples, crossed)


def self_touch(samples: Watched) -> Flags:
    """A wrist in the box of face and neck, or a hand's length under it."""
    box = samples.sight.face_box.astype(np.float64)
    width = samples.picture_width or 1
    box = box / width
    touching = np.zeros(len(box), dtype=bool)
    for name in ("left_wrist", "right_wrist"):
        wrist = point(samples, name)
        with np.errstate(invalid="ignore"):
            aside = np.abs(wrist[:, 0] - box[:, 0] - box[:, 2] / 2) < 0.75 * box[:, 2]
            # A wrist lies a hand's length below what its fingers touch.
            below = wrist[:, 1] - box[:, 1]
            touching |= aside & (below > 0) & (below < 1.5 * box[:, 3])
    return _steady(samples, touching & has_face(samples))


def _distance(one: Numbers, other: Numbers) -> Numbers:
    between = one - other
    return np.hypot(between[:, 0], between[:, 1])


def _steady(samples: Watched, flags: Flags) -> Flags:
    steady: Flags = settled(flags.astype(np.float64), samples.seconds, hold=_HOLD_SECONDS) == 1
    return steady


def _events(samples: Watched, flags: Flags, kind: str, shortest: float) -> tuple[Event, ...]:
    return tuple(
        Event(kind=kind, start=start, end=end)
        for _, _, start, end in episodes(samples, flags, shortest=shortest)
    )


def _arms(samples: Watched, crossed: Flags, touches: int) -> Mapping[str, Measurement | Skipped]:
    known = has_shoulders(samples)
    share = samples.speech_share(crossed, known)
    low, high = share_interval(samples, crossed, known)
    coverage = min(1.0, samples.speech_share(known))
    found: dict[str, Measurement | Skipped] = {
        CROSSED: Measurement(
            value=share,
            unit="share",
            n=int(known.sum()),
            coverage=coverage,
            quality=Quality.FAIR,
            interval=(min(low, share), max(high, share)),
        )
    }
    seconds = float((samples.seconds * known).sum())
    if seconds < _SHORTEST_FOR_RATE:
        found[TOUCH] = Skipped(
            reason=Reason.TOO_SHORT,
            detail=f"You were watched for {seconds:.0f} s; a rate needs "
            f"{_SHORTEST_FOR_RATE:.0f} s.",
        )
        return found
    found[TOUCH] = Measurement(
        value=touches / seconds * 60,
        unit="per minute",
        n=touches,
        coverage=coverage,
        quality=Quality.FAIR,
        interval=rate_interval(touches, seconds / 60),
    )
    return found
