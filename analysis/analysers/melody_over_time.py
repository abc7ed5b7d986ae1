"""Pitch trend: change of pitch variation from the beginning to the end of the talk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.ports import Measured
from analysis.results import Event, Measurement, Quality, Reason, Skipped
from analysis.talk.pitch_contour import PitchContour, pitch_contour
from analysis.talk.statistics import difference_interval
from analysis.talk.talk import Talk

TREND = "pitch.trend_semitones"

_LEAST_TALK_SECONDS = 75.0
"""Shortest talk: thirds of 25 s contain a few sentences each (rule of thumb)."""
_LEAST_VOICED_SECONDS = 10.0
_BLOCK_SECONDS = 5.0
_LEAST_VOICED_IN_BLOCK_SECONDS, _LEAST_BLOCKS = 1.0, 4
_NARROWER_SEMITONES = 0.5


class PitchTrend:
    """Analyser of the pitch variation of the last third minus that of the first."""

    name = "melody_over_time"
    provides: tuple[str, ...] = (TREND,)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        reason = talk.no_sound or talk.caution("speakers", "crowd") or _skip_without_thirds(talk)
        if reason is not None or talk.sound is None:
            return Measured.skipping(self.provides, reason or _skip_for_voicing(talk))
        start, end = talk.window
        third = (end - start) / 3
        tune = pitch_contour(talk.sound)
        first = _block_deviations(tune, start, start + third)
        last = _block_deviations(tune, end - third, end)
        if min(len(first), len(last)) < _LEAST_BLOCKS:
            return Measured.skipping(self.provides, _skip_for_voicing(talk))
        change = float(np.mean(last) - np.mean(first))
        measurement = Measurement.of(
            change,
            "semitones",
            n=len(first) + len(last),
            coverage=(len(first) + len(last)) * _BLOCK_SECONDS / (2 * third),
            quality=_quality(talk),
            interval=difference_interval(last, first),
        )
        events: tuple[Event, ...] = ()
        if change <= -_NARROWER_SEMITONES:
            detail = {"semitones": round(change, 2)}
            events = (Event(kind="narrower_ending", start=end - third, end=end, detail=detail),)
        return Measured(measurements={TREND: measurement}, events=events)


def _skip_without_thirds(talk: Talk) -> Skipped | None:
    if talk.options.left_out:
        return Skipped.because(Reason.SEVERAL_SPEAKERS, "parts_hide_melody")
    seconds = talk.seconds
    if seconds < _LEAST_TALK_SECONDS:
        return Skipped.because(
            Reason.TOO_SHORT, "talk_short_for_melody", seconds=seconds, needed=_LEAST_TALK_SECONDS
        )
    return None


def _skip_for_voicing(talk: Talk) -> Skipped:
    voiced = 0.0 if talk.sound is None else pitch_contour(talk.sound).voiced_seconds
    return talk.too_little_voice(voiced=voiced, needed=_LEAST_VOICED_SECONDS)


def _block_deviations(tune: PitchContour, start: float, end: float) -> Sequence[float]:
    """Return the standard deviation in semitones of each 5 s block with enough voiced speech."""
    blocks = [
        tune.between(float(left), min(float(left) + _BLOCK_SECONDS, end))
        for left in np.arange(start, end - _BLOCK_SECONDS / 2, _BLOCK_SECONDS)
    ]
    least = round(_LEAST_VOICED_IN_BLOCK_SECONDS / tune.step)
    return [float(block.std()) for block in blocks if len(block) >= least]


def _quality(talk: Talk) -> Quality:
    if talk.caution("signal") is not None:
        return Quality.POOR
    return talk.quality_by_length
