"""Fillers: filled pauses by sound, filler words by context, and bursts of both."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.filler_accuracy import lowest_accuracy
from analysis.ports import Measured, Span
from analysis.results import Event, Measurement, Quality, Skipped, in_time_order
from analysis.talk import spans
from analysis.talk.filler_rate import filler_rate_interval
from analysis.talk.phrases import filler_words
from analysis.talk.statistics import rate_interval
from analysis.talk.talk import Talk

FILLED = "fillers.filled_pauses_per_minute"
WORDS = "fillers.filler_words_per_minute"
BURSTS = "fillers.bursts_per_minute"

_LEAST_SECONDS = 10.0
_BURST_COUNT, _BURST_SECONDS = 3, 10.0
"""Size of a burst: three or more fillers within 10 s, which listeners notice (rule of thumb)."""


class Fillers:
    """Analyser of filled pauses, filler words and bursts of either."""

    name = "fillers"
    provides: tuple[str, ...] = (FILLED, WORDS, BURSTS)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        reason = talk.no_text or talk.no_sound or talk.caution("speakers", "fluency")
        if reason is not None:
            return Measured.skipping(self.provides, reason)
        words = _word_events(talk)
        bursts = _bursts([*talk.filled_pauses, *words])
        events = in_time_order([*talk.filled_pauses, *words, *bursts])
        short = talk.too_short(needed=_LEAST_SECONDS, what="fillers")
        if short is not None:
            return Measured(skipped=dict.fromkeys(self.provides, short), events=events)
        return Measured(
            measurements={
                FILLED: _filled_rate(talk),
                WORDS: _rate(talk, words),
                BURSTS: _rate(talk, bursts),
            },
            events=events,
        )


def _filled_rate(talk: Talk) -> Measurement:
    """Return the expected filled pauses per minute (sum of probabilities), with an interval for
    detector errors.
    """
    minutes = talk.minutes
    probabilities = [event.probability or 0.0 for event in talk.filled_pauses]
    heard = lowest_accuracy(talk.language.code, talk.reader)
    return Measurement.of(
        sum(probabilities) / minutes,
        "per minute",
        n=len(probabilities),
        coverage=talk.text_coverage,
        quality=_quality(talk),
        interval=filler_rate_interval(probabilities, minutes, heard),
    )


def _quality(talk: Talk) -> Quality:
    """Return the quality: poor with a noise gate, noise or automatic gain,
    which hide soft fillers.
    """
    caution: Skipped | None = talk.caution("gain", "gate", "signal")
    return Quality.POOR if caution is not None else talk.quality_by_length


def _rate(talk: Talk, events: Sequence[Event]) -> Measurement:
    minutes = talk.minutes
    return Measurement.of(
        len(events) / minutes,
        "per minute",
        n=len(events),
        coverage=talk.text_coverage,
        quality=_quality(talk),
        interval=rate_interval(len(events), minutes),
    )


def _word_events(talk: Talk) -> tuple[Event, ...]:
    """Return filler-word events, without those that a person marked as no filler."""
    found = (
        Event(
            kind="filler_word",
            start=talk.words[phrase.first].start,
            end=talk.words[phrase.last - 1].end,
            probability=min(word.probability for word in talk.words[phrase.first : phrase.last]),
            label=phrase.phrase,
        )
        for phrase in filler_words(talk.words, talk.language_data)
    )
    return tuple(event for event in found if not spans.overlap(_span(event), talk.no_fillers))


def _span(event: Event) -> Span:
    return event.start, event.end


def _bursts(fillers: Sequence[Event]) -> tuple[Event, ...]:
    """Return the longest runs in which any three consecutive fillers fit in 10 s."""
    ordered = in_time_order(fillers)
    bursts: list[Event] = []
    first = 0
    while first + _BURST_COUNT <= len(ordered):
        last = first + _BURST_COUNT - 1
        if ordered[last].end - ordered[first].start > _BURST_SECONDS:
            first += 1
            continue
        while (
            last + 1 < len(ordered)
            and ordered[last + 1].end - ordered[last + 2 - _BURST_COUNT].start <= _BURST_SECONDS
        ):
            last += 1
        bursts.append(
            Event(
                kind="filler_burst",
                start=ordered[first].start,
                end=ordered[last].end,
                detail={"count": last - first + 1},
            )
        )
        first = last + 1
    return tuple(bursts)
