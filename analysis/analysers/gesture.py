"""Gestures: visible hands, hand movement and stillness. Interpretation is left to people."""

from __future__ import annotations

import numpy as np

from analysis.ports import Measured
from analysis.results import Event, Measurement, Quality, Reason, Skipped
from analysis.talk.body_view import (
    body_samples,
    hands_problem,
    has_shoulders,
    has_wrist,
    point,
    shoulder_width,
    still_camera,
)
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

VISIBLE, MOVEMENT = "gesture.hands_visible_share", "gesture.movement_share"
STROKES, STILL = "gesture.strokes_per_minute", "gesture.longest_still_seconds"

# In shoulder widths per second; both are rules of thumb.
MOVING_SPEED = 0.4
_STROKE_SPEED = 1.0
_STROKE_GAP_SECONDS = 0.3
# Share of the time in which hands must be visible before movement is reported (rule of thumb).
LEAST_VISIBLE = 0.4
_HOLD_SECONDS = 0.3
_MOVING_SECONDS = 2.0
_STILL_SECONDS = 90.0
_SHORTEST_FOR_RATE = 30.0
# A faster wrist is a landmark that jumped to another hand (rule of thumb).
_FASTEST = 12.0
# A resting wrist jitters by up to 0.07 shoulder widths between samples, which would look like
# movement. A median and a difference over this time on both sides keep it below 0.3 per second
# (measured on a still picture with camera noise, 110 samples).
_REACH_SECONDS = 0.2


class Gesture:
    """Analyser of visible hands, their movement and long stillness."""

    name = "gesture"
    provides: tuple[str, ...] = (VISIBLE, MOVEMENT, STROKES, STILL)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        samples = body_samples(talk)
        if isinstance(samples, Skipped):
            return Measured(skipped=dict.fromkeys(self.provides, samples))
        problem = hands_problem(samples)
        if problem is not None:
            return Measured(skipped=dict.fromkeys(self.provides, problem))
        seen, known = has_wrist(samples), has_shoulders(samples)
        visible = _share(samples, seen, known)
        if visible.value < LEAST_VISIBLE:
            hidden = Skipped.because(
                Reason.LOW_COVERAGE,
                "hands_seldom",
                seen=visible.value,
                base=samples.base,
                needed=LEAST_VISIBLE,
            )
            return Measured(
                measurements={VISIBLE: visible},
                skipped=dict.fromkeys((MOVEMENT, STROKES, STILL), hidden),
            )
        return _movement(samples, visible)


def _movement(samples: VisualSamples, visible: Measurement) -> Measured:
    speed = wrist_speed(samples, is_steadied=True)
    known = np.isfinite(speed)
    is_fast = (np.nan_to_num(speed, nan=0.0) > MOVING_SPEED).astype(np.float64)
    moving = smooth_states(is_fast, samples.seconds, hold=_HOLD_SECONDS) == 1
    still = known & ~moving
    found: dict[str, Measurement | Skipped] = {
        VISIBLE: visible,
        MOVEMENT: _share(samples, moving, known),
        STROKES: _strokes(samples, wrist_speed(samples, is_steadied=False)),
        STILL: _longest_still(samples, still),
    }
    return Measured(
        measurements={k: v for k, v in found.items() if isinstance(v, Measurement)},
        skipped={k: v for k, v in found.items() if isinstance(v, Skipped)},
        events=(
            *_events(samples, moving & known, "hands_moving", _MOVING_SECONDS),
            *_events(samples, still, "hands_still", _STILL_SECONDS),
        ),
        tracks={"gesture.movement": samples.track(speed, "shoulder widths per second")},
    )


def wrist_speed(samples: VisualSamples, *, is_steadied: bool) -> Numbers:
    """Return the speed of the faster wrist in shoulder widths per second, without camera movement.

    The speed is relative to the midpoint of the shoulders, so that walking is not a gesture. It is
    NaN where no wrist is visible. With `is_steadied`, jitter of a resting hand is removed; strokes
    are fast enough without it.
    """
    middle = (point(samples, "left_shoulder") + point(samples, "right_shoulder")) / 2
    anchor = np.where(np.isfinite(middle), middle, still_camera(samples))
    both = np.vstack(
        [
            _speed(samples, point(samples, name) - anchor, is_steadied=is_steadied)
            / shoulder_width(samples)
            for name in ("left_wrist", "right_wrist")
        ]
    )
    known = np.isfinite(both).any(axis=0)
    fastest = np.where(np.isfinite(both), both, -1.0).max(axis=0)
    return np.where(known & (fastest <= _FASTEST), fastest, np.nan)


def _speed(samples: VisualSamples, path: Numbers, *, is_steadied: bool) -> Numbers:
    """Return the speed over _REACH_SECONDS on both sides; steadied, the speed
    of a running median.
    """
    times = samples.times
    reach = max(_REACH_SECONDS, samples.step)
    offsets = np.array([-reach, 0.0, reach])
    if is_steadied:
        # The median of a window with an unknown position is unknown, and so is the speed there.
        path = np.median(_at(times, path, times[:, None] + offsets), axis=1)
    around = np.clip(times[:, None] + offsets[[0, 2]], times[0], times[-1])
    moved = np.diff(_at(times, path, around), axis=1)[:, 0]
    speed: Numbers = np.hypot(*moved.T) / np.maximum(np.diff(around, axis=1)[:, 0], 1e-6)
    return speed


def _at(times: Numbers, path: Numbers, when: Numbers) -> Numbers:
    """Return positions of shape (*when.shape, 2), interpolated between known samples; NaN next to
    an unknown one.
    """
    known = np.isfinite(path[:, 0])
    if not known.any():
        return np.full((*when.shape, 2), np.nan)
    places = [np.interp(when, times[known], path[known, axis]) for axis in (0, 1)]
    is_near = np.interp(when, times, known.astype(np.float64)) > 0.5
    return np.where(is_near[..., None], np.stack(places, axis=-1), np.nan)


def _share(samples: VisualSamples, flags: Flags, known: Flags) -> Measurement:
    value = samples.speech_share(flags & known, known)
    low, high = share_interval(samples, flags, known)
    coverage = min(1.0, samples.speech_share(known))
    return Measurement(
        value=value,
        unit="share",
        n=int((known & (samples.speech > 0)).sum()),
        coverage=coverage,
        quality=Quality.FAIR,
        interval=(min(low, value), max(high, value)),
    )


def _strokes(samples: VisualSamples, speed: Numbers) -> Measurement | Skipped:
    known = np.isfinite(speed)
    seconds = float((samples.seconds * known).sum())
    if seconds < _SHORTEST_FOR_RATE:
        return Skipped.because(
            Reason.TOO_SHORT, "hands_short", seconds=seconds, needed=_SHORTEST_FOR_RATE
        )
    count = len(_peaks(samples.times, np.nan_to_num(speed, nan=0.0)))
    return Measurement(
        value=count / seconds * 60,
        unit="per minute",
        n=count,
        coverage=min(1.0, samples.speech_share(known)),
        quality=Quality.FAIR,
        interval=rate_interval(count, seconds / 60),
    )


def _peaks(times: Numbers, speed: Numbers) -> list[int]:
    """Return local maxima above the stroke speed; of two that are too close, the higher one."""
    padded = np.concatenate(([0.0], speed, [0.0]))
    is_peak = (speed > _STROKE_SPEED) & (speed >= padded[:-2]) & (speed > padded[2:])
    kept: list[int] = []
    for index in np.flatnonzero(is_peak).tolist():
        if not kept or times[index] - times[kept[-1]] >= _STROKE_GAP_SECONDS:
            kept.append(index)
        elif speed[index] > speed[kept[-1]]:
            kept[-1] = index
    return kept


def _longest_still(samples: VisualSamples, still: Flags) -> Measurement:
    lengths = [end - start for _, _, start, end in episodes(samples, still, shortest=0.0)]
    return Measurement(
        value=max(lengths, default=0.0),
        unit="s",
        n=int(still.sum()),
        coverage=min(1.0, samples.speech_share(has_wrist(samples))),
        quality=Quality.FAIR,
        interval=None,
    )


def _events(samples: VisualSamples, flags: Flags, kind: str, shortest: float) -> tuple[Event, ...]:
    return tuple(
        Event(kind=kind, start=start, end=end)
        for _, _, start, end in episodes(samples, flags, shortest=shortest)
    )
