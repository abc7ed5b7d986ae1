"""Gaze: share of the talk that faces the camera, and episodes of looking away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Literal

import numpy as np

from analysis.ports import Measured, Options
from analysis.results import (
    CameraAnswer,
    CameraQuestion,
    Event,
    GazeReading,
    GazeZero,
    Measurement,
    Quality,
    Reason,
    Skipped,
)
from analysis.talk.face_view import LEAST_VISIBLE_SHARE, face_samples, has_face
from analysis.talk.facing import (
    HOLD_SECONDS,
    FacingLimits,
    Gaze,
    RestingDirection,
    Zero,
    facing,
    gaze_of,
    hides_eyes,
    limits_for,
    resting_direction,
    zero_of,
)
from analysis.talk.gaze_aversion import faces_away, look_aways
from analysis.talk.statistics import rate_interval
from analysis.talk.talk import Talk
from analysis.talk.visual_samples import (
    CENTRAL,
    Flags,
    Numbers,
    VisualSamples,
    bootstrap,
    by_second,
    smooth_states,
    visual_samples,
)

SHARE = "gaze.camera_facing_share"
OPENING, CLOSING = "gaze.opening_facing_share", "gaze.closing_facing_share"
AWAYS, DOWNS = "gaze.look_aways_per_minute", "gaze.look_downs_per_minute"

EDGE_SECONDS = 10.0
_SHORTEST_TALK = 20.0
_EDGE_COVERAGE = 0.6
_SHORTEST_FOR_RATE = 30.0
_GOOD_FACE_PX = 120.0
# Random draws of the zero and of the limits for the interval. The limits themselves are only known
# to about 2 degrees (rules of thumb, see facing).
_ZERO_DRAWS = 25
_LIMIT_SPREAD = 2.0
_ANSWERS: Mapping[CameraAnswer, bool] = {"in_front": True, "elsewhere": False}
_UNKNOWN: CameraAnswer = "unknown"
_NO_FACE = frozenset({Reason.NO_FACE, Reason.LOW_COVERAGE})
# Share of speaking time with a clear body but no face, from which we ask about it (rule of thumb).
_MOSTLY_TURNED = 0.3
# Share of eyes too small to read from which the result is called less certain (rule of thumb).
_MOSTLY_HIDDEN = 0.5
# A state must be seen in two samples if samples are further apart than its shortest length. One
# sample per half second gives little certainty, one per second almost none (rules of thumb).
_MORE_THAN_ONE = 1.25
_FAIR_STEP_SECONDS, _POOR_STEP_SECONDS = 0.3, 0.6
_WIDEST = 0.4
"""Widest useful interval of a share; a wider one says almost nothing (rule of thumb)."""


@dataclass(frozen=True)
class FacingDecision:
    """Facing decision for each sample, with the values it is based on."""

    samples: VisualSamples
    gaze: Gaze
    zero: Zero
    limits: FacingLimits
    turned: Flags
    rest: RestingDirection | None
    aside: RestingDirection | None
    """The resting direction, if the speaker said that the lens was in front but looked elsewhere.
    """
    state: Numbers
    """State per sample: 1 facing, 0 away, NaN unknown."""

    @property
    def known(self) -> Flags:
        return np.isfinite(self.state)


class CameraFacing:
    """Analyser of camera-facing time (on a stage: audience-facing time), with episodes and
    coverage.
    """

    name = "gaze"
    provides: tuple[str, ...] = (SHARE, OPENING, CLOSING, AWAYS, DOWNS)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each that is skipped; may ask where the camera
        was.
        """
        samples = face_samples(talk)
        if isinstance(samples, Skipped):
            return self._without_a_face(talk, samples)
        if (hidden := _skip_for_glasses(samples, talk)) is not None:
            return _measured(GazeReading(skipped=dict.fromkeys(self.provides, hidden)))
        unknown = decide(samples, replace(talk.options, camera_in_front=None))
        reading = _reading(unknown, talk)
        where = _unknown_lens_note(unknown, reading)
        if where is None:
            return _measured(reading)
        readings: dict[CameraAnswer, GazeReading] = {"unknown": reading}
        for answer, in_front in _ANSWERS.items():
            decided = decide(samples, replace(talk.options, camera_in_front=in_front))
            readings[answer] = _reading(decided, talk)
        if unknown.rest is None or not unknown.rest.is_steady or where == "around":
            why = Skipped.because(Reason.MISSING_CONTEXT, "camera_elsewhere")
            readings["elsewhere"] = GazeReading(skipped=dict.fromkeys(self.provides, why))
        share = unknown.rest.share if unknown.rest else 0.0
        return _with_question(talk, CameraQuestion(where=where, share=share, readings=readings))

    def _without_a_face(self, talk: Talk, problem: Skipped) -> Measured:
        """Return no measurements; ask whether the head was turned away if a body was clearly
        visible.
        """
        nothing = GazeReading(skipped=dict.fromkeys(self.provides, problem))
        samples = visual_samples(talk)
        if isinstance(samples, Skipped) or problem.reason not in _NO_FACE:
            return _measured(nothing)
        turned = faces_away(samples)
        share = samples.speech_share(turned)
        there = samples.speech_share(turned | has_face(samples))
        if share < _MOSTLY_TURNED or there < LEAST_VISIBLE_SHARE:
            return _measured(nothing)
        decided = decide(samples, replace(talk.options, camera_in_front=True))
        readings: dict[CameraAnswer, GazeReading] = {
            "unknown": nothing,
            "in_front": _reading(decided, talk),
            "elsewhere": nothing,
        }
        return _with_question(talk, CameraQuestion(where="away", share=share, readings=readings))


def _skip_for_glasses(samples: VisualSamples, talk: Talk) -> Skipped | None:
    """Return why gaze is skipped if glasses hide the eyes most of the time, otherwise None."""
    if not limits_for(talk.options).uses_eyes:
        return None
    hidden = hides_eyes(samples.sight)
    if samples.speech_share(hidden, has_face(samples)) <= _MOSTLY_HIDDEN:
        return None
    share = samples.speech_share(hidden)
    return Skipped.because(Reason.POOR_SIGNAL, "eyes_hidden", share=share, base=samples.base)


def _with_question(talk: Talk, question: CameraQuestion) -> Measured:
    """Return the measurements that match the speaker's answer, together with the question."""
    given = talk.options.camera_in_front
    answer = next((name for name, value in _ANSWERS.items() if value is given), _UNKNOWN)
    return replace(
        _measured(question.readings[answer]),
        camera_question=question.model_copy(update={"answer": answer}),
    )


def _measured(reading: GazeReading) -> Measured:
    return Measured(
        measurements=reading.measurements,
        skipped=reading.skipped,
        events=reading.events,
        tracks=reading.tracks,
        gaze_zero=reading.gaze_zero,
    )


def _reading(decided: FacingDecision, talk: Talk) -> GazeReading:
    samples = decided.samples
    limits = decided.limits if decided.aside is None else decided.limits.halved()
    events = look_aways(samples, decided.gaze, decided.zero, limits, decided.state)
    share = _share(decided, np.ones(len(samples.times), dtype=bool))
    found: dict[str, Measurement | Skipped] = {
        SHARE: share,
        **_edges(decided, talk),
        **_rates(decided, events, rests_on=share),
    }
    return GazeReading(
        measurements={k: v for k, v in found.items() if isinstance(v, Measurement)},
        skipped={k: v for k, v in found.items() if isinstance(v, Skipped)},
        events=events,
        tracks={"gaze.camera_facing": samples.share_track(decided.state)},
        gaze_zero=_rounded_zero(decided.zero),
    )


def _unknown_lens_note(
    unknown: FacingDecision, reading: GazeReading
) -> Literal["side", "below", "above", "around"] | None:
    """Return where the speaker mostly looked if that is unlikely to be the lens, otherwise None.

    A zero found in the talk is a direction that can be the lens. If the share is unknown even so,
    the speaker looked next to it for as long, and either may be the lens.
    """
    rest, limits = unknown.rest, unknown.limits
    if unknown.zero.source == "calibration" or rest is None:
        return None
    if rest.is_steady and not unknown.zero.is_personal:
        if abs(rest.yaw) > limits.zero_yaw:
            return "side"
        return "below" if rest.pitch < 0 else "above"
    return "around" if _is_wide(reading.measurements[SHARE]) else None


def decide(samples: VisualSamples, options: Options) -> FacingDecision:
    """Decide for each sample whether head and eyes face the camera."""
    limits = limits_for(options)
    gaze = gaze_of(samples, options, limits)
    zero = zero_of(samples, gaze, options, limits)
    turned = faces_away(samples)
    rest = resting_direction(gaze, samples.speech)
    is_aside = options.camera_in_front and rest is not None and rest.is_steady
    aside = rest if is_aside and not zero.is_personal else None
    return FacingDecision(
        samples=samples,
        gaze=gaze,
        zero=zero,
        limits=limits,
        turned=turned,
        rest=rest,
        aside=aside,
        state=_state(samples, gaze, zero, limits, turned, aside),
    )


def _rounded_zero(zero: Zero) -> GazeZero:
    """Return the zero for the report, rounded to meaningful digits."""
    told = {
        name: round(value, 1) if isinstance(value, float) else value
        for name, value in asdict(zero).items()
    }
    return GazeZero(**told)


def _state(
    samples: VisualSamples,
    gaze: Gaze,
    zero: Zero,
    limits: FacingLimits,
    turned: Flags,
    aside: RestingDirection | None,
) -> Numbers:
    inside = facing(gaze, zero, limits)
    if aside is not None and aside.is_aside(zero, limits):
        inside &= ~aside.holds(gaze)
    state = np.where(inside, 1.0, 0.0)
    state[~has_face(samples) & ~turned] = np.nan
    hold = max(HOLD_SECONDS, _MORE_THAN_ONE * samples.step)
    return smooth_states(state, samples.seconds, hold=hold)


def _share(decided: FacingDecision, window: Flags) -> Measurement:
    samples, known = decided.samples, decided.known & window
    base = samples.speech * known
    coverage = float(base.sum() / max((samples.speech * window).sum(), 1e-9))
    value = float((base * (decided.state == 1)).sum() / base.sum())
    low, high = _interval(decided, window)
    return Measurement(
        value=value,
        unit="share",
        n=int((base > 0).sum()),
        coverage=min(1.0, coverage),
        quality=Quality.POOR if high - low > _WIDEST else _quality(decided, coverage),
        interval=(min(low, value), max(high, value)),
    )


def _interval(decided: FacingDecision, window: Flags) -> tuple[float, float]:
    """Return the central 80% over resampled seconds, uncertain zeros and uncertain limits."""
    generator = np.random.default_rng(1)
    samples, zero, limits = decided.samples, decided.zero, decided.limits
    draws = []
    for seed in range(_ZERO_DRAWS):
        shifted = replace(
            zero,
            yaw=zero.yaw + generator.normal(0, zero.yaw_spread),
            pitch=zero.pitch + generator.normal(0, zero.pitch_spread),
        )
        wider = limits.widened(generator.normal(0, _LIMIT_SPREAD))
        state = _state(samples, decided.gaze, shifted, wider, decided.turned, decided.aside)
        known = np.isfinite(state) & window & (samples.speech > 0)
        if known.any():
            base = samples.speech * known
            numerators = by_second(samples, base * (state == 1))
            draws.append(bootstrap(numerators, by_second(samples, base), seed=seed, draws=16))
    low, high = np.percentile(np.concatenate(draws), CENTRAL)
    return float(low), float(high)


def _quality(decided: FacingDecision, coverage: float) -> Quality:
    if not has_face(decided.samples).any():
        return Quality.POOR
    height = float(np.nanmedian(decided.samples.sight.face_box[:, 3]))
    has_eyes = float(decided.gaze.has_eyes[has_face(decided.samples)].mean())
    needs_eyes = decided.limits.uses_eyes
    step = decided.samples.step
    if coverage < 0.7 or (needs_eyes and has_eyes < 0.5) or step > _POOR_STEP_SECONDS:
        return Quality.POOR
    is_fine = (
        step <= _FAIR_STEP_SECONDS
        and height >= _GOOD_FACE_PX
        and decided.zero.is_personal
        and decided.samples.has_sound
    )
    return Quality.GOOD if is_fine and coverage >= 0.8 else Quality.FAIR


def _edges(decided: FacingDecision, talk: Talk) -> Mapping[str, Measurement | Skipped]:
    samples = decided.samples
    spoken = np.flatnonzero(samples.speech > 0)
    first = talk.speech[0][0] if samples.has_sound else float(samples.starts[0])
    last = talk.speech[-1][1] if samples.has_sound else float(samples.times[spoken[-1]])
    if last - first < _SHORTEST_TALK:
        short = Skipped.because(
            Reason.TOO_SHORT, "talk_short_for_edges", seconds=last - first, needed=_SHORTEST_TALK
        )
        return {OPENING: short, CLOSING: short}
    return {
        OPENING: _edge(decided, samples.times < first + EDGE_SECONDS, "first"),
        CLOSING: _edge(decided, samples.times >= last - EDGE_SECONDS, "last"),
    }


def _edge(decided: FacingDecision, window: Flags, which: str) -> Measurement | Skipped:
    speech = decided.samples.speech * window
    covered = float((speech * decided.known).sum() / speech.sum()) if speech.sum() > 0 else 0.0
    if covered < _EDGE_COVERAGE:
        return Skipped.because(
            Reason.LOW_COVERAGE, "edge_seldom", seen=covered, edge=which, needed=_EDGE_COVERAGE
        )
    return _share(decided, window)


def _rates(
    decided: FacingDecision, events: tuple[Event, ...], *, rests_on: Measurement
) -> Mapping[str, Measurement | Skipped]:
    """Return episodes per minute; poor quality if the facing share itself is uncertain."""
    seconds = float((decided.samples.seconds * decided.known).sum())
    if seconds < _SHORTEST_FOR_RATE:
        short = Skipped.because(
            Reason.TOO_SHORT, "watched_short", seconds=seconds, needed=_SHORTEST_FOR_RATE
        )
        return {AWAYS: short, DOWNS: short}
    downs = sum(event.label == "down" for event in events)
    return {
        AWAYS: _rate(decided, len(events), seconds / 60, is_doubtful=_is_wide(rests_on)),
        DOWNS: _rate(decided, downs, seconds / 60, is_doubtful=_is_wide(rests_on)),
    }


def _is_wide(share: Measurement) -> bool:
    low, high = share.interval or (0.0, 0.0)
    return high - low > _WIDEST


def _rate(decided: FacingDecision, count: int, minutes: float, *, is_doubtful: bool) -> Measurement:
    watched_seconds = float(decided.samples.seconds.sum())
    coverage = min(1.0, minutes * 60 / watched_seconds)
    return Measurement(
        value=count / minutes,
        unit="per minute",
        n=count,
        coverage=coverage,
        quality=Quality.POOR if is_doubtful else _quality(decided, coverage),
        interval=rate_interval(count, minutes),
    )
