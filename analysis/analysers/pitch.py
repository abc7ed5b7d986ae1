"""Pitch variation, always relative to the speaker's own median pitch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.ports import Measured
from analysis.results import Event, Measurement, Quality, Skipped, Track, in_time_order
from analysis.talk import spans
from analysis.talk.pitch_contour import LEAST_VOICED_IN_WINDOW_SECONDS, PitchContour, pitch_contour
from analysis.talk.statistics import block_interval, mean_interval, share_interval
from analysis.talk.talk import ENGAGED_SECONDS, Talk

QUOTIENT = "pitch.variation_quotient"
DEVIATION = "pitch.sd_semitones"
RANGE = "pitch.range_semitones"
MONOTONE = "pitch.monotone_share"

WINDOW_SECONDS, HOP_SECONDS = 10.0, 5.0
TRACK_STEP_SECONDS = 0.1
_LEAST_VOICED_SECONDS, _COMFORTABLE_VOICED_SECONDS = 10.0, 60.0
"""Voiced seconds needed: 60 s for a reliable value, none below 10 s. Hincks (2005) judged windows
of 10 s and found single ones unsteady; the 60 s are a rule of thumb.
"""
_LEVEL_QUOTIENT = 0.10
"""Quotient of a level window. Of 110 windows of natural voices 10 were below, and none spanned
fewer than 3 semitones; a limit on the span adds nothing, since .10 corresponds to about five and
a half semitones. Rule of thumb after Hincks (2004).
"""
_MONOTONE_SECONDS, _LIVELY_SECONDS = 30.0, 20.0
_LIVELY_FACTOR = 1.3


@dataclass(frozen=True, slots=True)
class _Window:
    start: float
    end: float
    quotient: float
    span: float

    @property
    def is_level(self) -> bool:
        return self.quotient < _LEVEL_QUOTIENT


class Pitch:
    """Analyser of pitch variation; absolute pitch is never measured or compared."""

    name = "pitch"
    provides: tuple[str, ...] = (QUOTIENT, DEVIATION, RANGE, MONOTONE)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        reason = talk.no_sound or talk.caution("speakers", "crowd")
        if reason is not None or talk.sound is None:
            return Measured.skipping(self.provides, reason or _skip_for_length(talk, 0.0))
        tune = pitch_contour(talk.sound)
        if tune.voiced_seconds < _LEAST_VOICED_SECONDS:
            return Measured.skipping(self.provides, _skip_for_length(talk, tune.voiced_seconds))
        start, end = talk.window
        windows = _windows(tune, start, end, hop=WINDOW_SECONDS)
        if not windows:  # enough in total, but spread thinly over a long recording
            return Measured.skipping(self.provides, _skip_for_voicing(talk, tune.voiced_seconds))
        dense = _windows(tune, start, end, hop=HOP_SECONDS)
        return Measured(
            measurements=_measurements(talk, tune, windows),
            events=in_time_order([*_level_stretches(dense), *_lively_stretches(dense)]),
            tracks={
                "pitch.semitones": _track(tune),
                "pitch.variation_quotient": _quotients(tune, start, end),
                "pitch.final_rise": _final_rises(talk, tune),
            },
        )


def _skip_for_length(talk: Talk, seconds: float) -> Skipped:
    return talk.too_little_voice(voiced=seconds, needed=_LEAST_VOICED_SECONDS)


def _skip_for_voicing(talk: Talk, seconds: float) -> Skipped:
    needed = round(talk.speech_seconds * LEAST_VOICED_IN_WINDOW_SECONDS / WINDOW_SECONDS)
    return talk.too_little_voice(voiced=seconds, needed=needed)


def _windows(tune: PitchContour, start: float, end: float, *, hop: float) -> list[_Window]:
    found = []
    last = max(end - WINDOW_SECONDS, start)
    for left in np.arange(start, last + 1e-6, hop):
        right = min(float(left) + WINDOW_SECONDS, end)
        quotient = tune.quotient(float(left), right)
        if quotient is not None:
            low, high = np.percentile(tune.between(float(left), right), [5, 95])
            found.append(_Window(float(left), right, quotient, float(high - low)))
    return found


def _measurements(
    talk: Talk, tune: PitchContour, windows: Sequence[_Window]
) -> dict[str, Measurement]:
    start, end = talk.window
    voiced = tune.between(start, end)
    blocks = [
        block
        for left in np.arange(start, end, WINDOW_SECONDS / 2)
        if len(block := tune.between(float(left), float(left) + WINDOW_SECONDS / 2)) >= 20
    ]
    seconds = tune.voiced_seconds
    quality = Quality.GOOD if seconds >= _COMFORTABLE_VOICED_SECONDS else Quality.FAIR
    if talk.speech_seconds < ENGAGED_SECONDS or talk.caution("signal", "echo") is not None:
        quality = Quality.POOR
    coverage = seconds / max(talk.speech_seconds, 1e-6)
    low, high = np.percentile(voiced, [5, 95])
    quotients = [window.quotient for window in windows]
    level = sum(window.is_level for window in windows)
    return {
        QUOTIENT: Measurement.of(
            float(np.mean(quotients)),
            "ratio",
            n=len(windows),
            interval=mean_interval(quotients),
            coverage=coverage,
            quality=quality,
        ),
        DEVIATION: Measurement.of(
            float(voiced.std()),
            "semitones",
            n=len(voiced),
            interval=block_interval(blocks, "sd"),
            coverage=coverage,
            quality=quality,
        ),
        RANGE: Measurement.of(
            float(high - low),
            "semitones",
            n=len(voiced),
            interval=block_interval(blocks, "range"),
            coverage=coverage,
            quality=quality,
        ),
        MONOTONE: Measurement.of(
            level / len(windows),
            "share",
            n=len(windows),
            interval=share_interval(level, len(windows)),
            coverage=coverage,
            quality=quality,
        ),
    }


def _level_stretches(windows: Sequence[_Window]) -> list[Event]:
    level = [window for window in windows if window.is_level]
    return _stretches("monotone_stretch", level, windows, at_least=_MONOTONE_SECONDS)


def _lively_stretches(windows: Sequence[_Window]) -> list[Event]:
    if not windows:
        return []
    usual = float(np.median([window.quotient for window in windows]))
    lively = [window for window in windows if window.quotient >= _LIVELY_FACTOR * usual]
    return _stretches("lively_stretch", lively, windows, at_least=_LIVELY_SECONDS)


def _stretches(
    kind: str, chosen: Sequence[_Window], windows: Sequence[_Window], *, at_least: float
) -> list[Event]:
    usual = float(np.median([window.span for window in windows])) if windows else 0.0
    events = []
    for start, end in spans.merged((window.start, window.end) for window in chosen):
        if end - start >= at_least:
            inside = [window.span for window in chosen if start <= window.start < end]
            detail = {
                "range_semitones": round(float(np.median(inside)), 2),
                "usual_semitones": round(usual, 2),
            }
            events.append(Event(kind=kind, start=start, end=end, detail=detail))
    return events


def _track(tune: PitchContour) -> Track:
    """Return the median of each 0.1 s as a track."""
    width = round(TRACK_STEP_SECONDS / tune.step)
    padded = np.pad(tune.semitones, (0, -len(tune.semitones) % width), constant_values=np.nan)
    values = []
    for row in padded.reshape(-1, width):
        voiced = row[np.isfinite(row)]
        values.append(round(float(np.median(voiced)), 2) if len(voiced) >= width / 2 else None)
    return Track(
        start=TRACK_STEP_SECONDS / 2,
        step=TRACK_STEP_SECONDS,
        unit="semitones",
        values=tuple(values),
    )


def _quotients(tune: PitchContour, start: float, end: float) -> Track:
    values = []
    for left in np.arange(start, end, WINDOW_SECONDS):
        quotient = tune.quotient(float(left), float(left) + WINDOW_SECONDS)
        values.append(None if quotient is None else round(quotient, 4))
    return Track(
        start=round(start + WINDOW_SECONDS / 2, 3),
        step=WINDOW_SECONDS,
        unit="ratio",
        values=tuple(values),
    )


def _final_rises(talk: Talk, tune: PitchContour) -> Track:
    """Return the pitch change over the last 0.3 s of voice of each sentence, at the second in which
    it ends.
    """
    values: list[float | None] = [None] * int(np.ceil(talk.media.duration) + 1)
    for first, last in talk.sentences:
        start, end = talk.words[first].start, talk.words[last - 1].end
        rise = tune.final_rise(start, end)
        if rise is not None and int(end) < len(values):
            values[int(end)] = round(rise, 2)
    return Track(start=0.5, step=1.0, unit="semitones", values=tuple(values))
