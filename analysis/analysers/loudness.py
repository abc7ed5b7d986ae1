"""Loudness changes within a recording; absolute loudness is never reported."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from analysis.ports import Measured, Sound
from analysis.results import Event, Measurement, Quality, Reason, Skipped, Track
from analysis.talk import spans
from analysis.talk.bandwidth import is_narrow
from analysis.talk.statistics import block_interval, share_interval
from analysis.talk.talk import Talk

RANGE = "loudness.range_db"
END_DROP = "loudness.sentence_end_drop_share"
TREND = "loudness.trend_db"

TRACK_STEP_SECONDS = 0.1
_LEAST_VOICED_SECONDS = 10.0
DROP_DB, FINAL_SECONDS = 8.0, 0.5
"""Drop of the last half second below its sentence that makes a quiet end. Rules of thumb: unchanged
ends of eight synthetic voices are 4 dB below their sentence, nine in ten at most 7 dB.
"""
_NARROW_DROP_DB = 9.5
"""The same drop for narrow bandwidth. Without frequencies above 4 kHz an end in s, oo or ee is up
to 4 dB softer: through simulated telephones and masks 1 of 112 unchanged ends reaches this limit
and 12 reach the other (docs/lab/noise.md).
"""
_LEAST_SENTENCES = 5
_LEAST_FRAMES_IN_SENTENCE = 50
_LEAST_FOR_TREND_SECONDS = 60.0
_BLOCK_SECONDS = 5.0


class Loudness:
    """Analyser of loudness range, quiet sentence ends and trend, relative to the speaker's own
    level.
    """

    name = "loudness"
    provides: tuple[str, ...] = (RANGE, END_DROP, TREND)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        reason = talk.no_sound or talk.caution("gain", "speakers", "crowd", "signal")
        if reason is not None or talk.sound is None:
            return Measured.skipping(self.provides, reason or _skip_for_length(talk, 0.0))
        level = _voiced_level(talk, talk.sound)
        seconds = float(np.isfinite(level).sum() * talk.sound.step)
        if seconds < _LEAST_VOICED_SECONDS:
            return Measured.skipping(self.provides, _skip_for_length(talk, seconds))
        spread = talk.caution("echo", "level") or _range(talk, talk.sound, level, seconds)
        found: dict[str, Measurement] = {}
        skipped: dict[str, Skipped] = {}
        trend = talk.caution("level") or _trend(talk, talk.sound, level, seconds)
        drop, events = _end_drops(talk, talk.sound, level)
        for metric, outcome in ((RANGE, spread), (TREND, trend), (END_DROP, drop)):
            if isinstance(outcome, Skipped):
                skipped[metric] = outcome
            else:
                found[metric] = outcome
        return Measured(
            measurements=found,
            skipped=skipped,
            events=events,
            tracks={"loudness.relative_db": _track(talk.sound, level)},
        )


def _skip_for_length(talk: Talk, seconds: float) -> Skipped:
    return talk.too_little_voice(voiced=seconds, needed=_LEAST_VOICED_SECONDS)


def _voiced_level(talk: Talk, sound: Sound) -> NDArray[np.float64]:
    """Return the level in dB relative to the speaker's voiced median; NaN where unvoiced."""
    voiced = _is_voiced(talk, sound)
    if not voiced.any():
        return np.full(len(sound.level_db), np.nan)
    relative = sound.level_db - _median_level(talk, sound)
    return np.where(voiced, relative, np.nan).astype(np.float64)


def _is_voiced(talk: Talk, sound: Sound) -> NDArray[np.bool_]:
    inside = spans.frames_inside(talk.speech, step=sound.step, count=len(sound.level_db))
    return inside & np.isfinite(sound.f0_hz)


def _median_level(talk: Talk, sound: Sound) -> float:
    return float(np.median(sound.level_db[_is_voiced(talk, sound)]))


def _voiced(
    level: NDArray[np.float64], sound: Sound, start: float, end: float
) -> NDArray[np.float64]:
    part = level[round(start / sound.step) : round(end / sound.step)]
    found: NDArray[np.float64] = part[np.isfinite(part)]
    return found


def _quality(talk: Talk) -> Quality:
    return talk.quality_by_length


def _coverage(talk: Talk, seconds: float) -> float:
    return seconds / max(talk.speech_seconds, 1e-6)


def _range(talk: Talk, sound: Sound, level: NDArray[np.float64], seconds: float) -> Measurement:
    start, end = talk.window
    voiced = _voiced(level, sound, start, end)
    blocks = [
        block
        for left in np.arange(start, end, _BLOCK_SECONDS)
        if len(block := _voiced(level, sound, float(left), float(left) + _BLOCK_SECONDS)) >= 20
    ]
    low, high = np.percentile(voiced, [10, 90])
    return Measurement.of(
        float(high - low),
        "dB",
        n=len(voiced),
        coverage=_coverage(talk, seconds),
        quality=_quality(talk),
        interval=block_interval(blocks, "spread"),
    )


def _trend(
    talk: Talk, sound: Sound, level: NDArray[np.float64], seconds: float
) -> Measurement | Skipped:
    start, end = talk.window
    if end - start < _LEAST_FOR_TREND_SECONDS:
        return Skipped.because(
            Reason.TOO_SHORT,
            "talk_short_for_trend",
            seconds=math.floor(end - start),
            needed=_LEAST_FOR_TREND_SECONDS,
        )
    third = (end - start) / 3
    first = _voiced(level, sound, start, start + third)
    last = _voiced(level, sound, end - third, end)
    if min(len(first), len(last)) < 100:
        return Skipped.because(Reason.LOW_COVERAGE, "third_without_voice")
    return Measurement.of(
        float(np.median(last) - np.median(first)),
        "dB",
        n=len(first) + len(last),
        coverage=_coverage(talk, seconds),
        quality=_quality(talk),
    )


def _end_drops(
    talk: Talk, sound: Sound, level: NDArray[np.float64]
) -> tuple[Measurement | Skipped, tuple[Event, ...]]:
    reason = talk.no_text or talk.caution("gate", "echo")
    if reason is not None:
        return reason, ()
    drops = _drops(talk, sound, level)
    if len(drops) < _LEAST_SENTENCES:
        few = Skipped.because(
            Reason.TOO_SHORT, "few_voiced_sentences", count=len(drops), needed=_LEAST_SENTENCES
        )
        return few, ()
    limit = _NARROW_DROP_DB if is_narrow(talk.speech, sound) else DROP_DB
    events = tuple(
        Event(kind="quiet_sentence_end", start=start, end=end, detail={"drop_db": round(drop, 1)})
        for start, end, drop in drops
        if drop >= limit
    )
    return (
        Measurement.of(
            len(events) / len(drops),
            "share",
            n=len(drops),
            coverage=talk.text_coverage,
            quality=_quality(talk),
            interval=share_interval(len(events), len(drops)),
        ),
        events,
    )


def _drops(
    talk: Talk, sound: Sound, level: NDArray[np.float64]
) -> Sequence[tuple[float, float, float]]:
    """Return start and end of the last words of each sentence, with their drop in dB.

    The drop is measured by energy, voiced or not. A softer end has fewer voiced frames, so a
    measure of voiced frames alone would look at the sound before it.
    """
    found = []
    for first, last in talk.sentences:
        start, end = talk.words[first].start, talk.words[last - 1].end
        if len(_voiced(level, sound, start, end)) >= _LEAST_FRAMES_IN_SENTENCE:
            drop = energy_db(sound, start, end) - energy_db(sound, end - FINAL_SECONDS, end)
            found.append((talk.words[max(last - 2, first)].start, end, drop))
    return found


def energy_db(sound: Sound, start: float, end: float) -> float:
    """Return the mean energy of a stretch in dB."""
    first = max(round(start / sound.step), 0)
    part = sound.level_db[first : max(round(end / sound.step), first + 1)]
    return float(10 * np.log10(np.mean(10 ** (part.astype(np.float64) / 10))))


def _track(sound: Sound, level: NDArray[np.float64]) -> Track:
    width = round(TRACK_STEP_SECONDS / sound.step)
    padded = np.pad(level, (0, -len(level) % width), constant_values=np.nan)
    values = []
    for row in padded.reshape(-1, width):
        voiced = row[np.isfinite(row)]
        values.append(round(float(voiced.mean()), 1) if len(voiced) >= width / 2 else None)
    return Track(
        start=TRACK_STEP_SECONDS / 2, step=TRACK_STEP_SECONDS, unit="dB", values=tuple(values)
    )
