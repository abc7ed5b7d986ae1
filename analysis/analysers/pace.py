"""Pace: words and syllables per unit of time, with and without pauses."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np

from analysis.ports import Measured, Span
from analysis.results import Event, Measurement, Reason, Skipped, Track, Word, in_time_order
from analysis.talk import spans
from analysis.talk.pause_places import place_of
from analysis.talk.restarts import restarts
from analysis.talk.silences import other_sounds, quiet_gaps
from analysis.talk.statistics import ratio_interval
from analysis.talk.syllables import count_syllables, count_words, syllables_of
from analysis.talk.talk import Talk
from analysis.talk.untranscribed_speech import untranscribed_spans

WORDS = "pace.words_per_minute"
ARTICULATION = "pace.articulation_rate_syllables_per_second"
RATE = "pace.speech_rate_syllables_per_second"
END_RUSH = "pace.end_rush_ratio"
END_PAUSES = "pace.end_pause_ratio"
OPENING = "pace.opening_ratio"
FAST = "pace.fast_passage_share"

WINDOW_SECONDS, HOP_SECONDS = 30.0, 10.0
_LEAST_SECONDS = 10.0
_LEAST_FOR_CHANGE_SECONDS = 60.0
"""Shortest talk with an ending to compare and a usual pace (rule of thumb)."""
_FASTER = 1.15
_END_SHARE = 0.2
_BIN_SECONDS, _LEAST_BIN_SECONDS = 5.0, 2.0
_LEAST_RUSH = 1.1
_LEAST_PAUSES = 3
_OPENING_SECONDS, _LEAST_FOR_OPENING_SECONDS = 30.0, 75.0
"""Shortest talk for the opening measure: the rest must be longer than the opening (rule of thumb).
"""
_UNREAD = Skipped.because(Reason.LOW_COVERAGE, "unwritten_hides_pace")


@dataclass(frozen=True, slots=True)
class _PaceTimeline:
    """Timeline for pace: counted words, pauses, and excluded stretches."""

    words: tuple[Word, ...]
    language: str
    window: Span
    pauses: tuple[Span, ...]
    left_out: tuple[Span, ...]
    others: tuple[Span, ...]
    """Music, applause or a telephone: time in which nobody could speak."""
    unread: tuple[Span, ...]
    """Untranscribed speech, whose words would be missing."""

    @property
    def seconds(self) -> float:
        return self.seconds_between(*self.window)

    def seconds_between(self, start: float, end: float) -> float:
        gone = spans.merged([*self.left_out, *self.others, *self.unread])
        return end - start - spans.overlap((start, end), gone)

    def is_enough(self, *edges: float) -> bool:
        """Return whether enough transcribed time is left between each pair of consecutive edges."""
        return not self.unread or all(
            self.seconds_between(left, right) >= _LEAST_SECONDS
            for left, right in itertools.pairwise(edges)
        )

    def rate_between(self, start: float, end: float) -> float:
        return self.syllables_between(start, end) / max(self.seconds_between(start, end), 1e-6)

    def syllables_between(self, start: float, end: float) -> int:
        return sum(
            syllables_of(word.text, self.language)
            for word in self.words
            if start <= (word.start + word.end) / 2 < end
        )

    def pause_share(self, start: float, end: float) -> float:
        seconds = max(self.seconds_between(start, end), 1e-6)
        return spans.total(spans.clipped(self.pauses, (start, end))) / seconds


class Pace:
    """Analyser of speech rate, articulation rate and their changes."""

    name = "pace"
    provides: tuple[str, ...] = (*(WORDS, ARTICULATION, RATE, END_RUSH, END_PAUSES, OPENING, FAST),)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        reason = (
            talk.no_text
            or talk.caution("speakers")
            or talk.too_short(needed=_LEAST_SECONDS, what="pace")
        )
        if reason is not None:
            return Measured.skipping(self.provides, reason)
        spoken = _pace_timeline(talk)
        if not spoken.is_enough(*spoken.window):
            return Measured.skipping(self.provides, _UNREAD)
        rates = _rates(talk, spoken)
        unknown = _no_change(talk, spoken)
        if unknown is not None:
            found = Measured(
                measurements=rates,
                skipped=dict.fromkeys((END_RUSH, END_PAUSES, OPENING, FAST), unknown),
            )
            return _without_hidden(found, talk)
        rush, rush_events = _end_rush(talk, spoken)
        fast, fast_events, track = _passages(talk, spoken)
        opening, opening_events = _opening_rush(talk, spoken)
        maybe = {FAST: fast, END_RUSH: rush, OPENING: opening}
        maybe[END_PAUSES] = _end_pauses(talk, spoken)
        known = {name: each for name, each in maybe.items() if isinstance(each, Measurement)}
        found = Measured(
            measurements={**rates, **known},
            skipped={name: each for name, each in maybe.items() if isinstance(each, Skipped)},
            events=in_time_order([*opening_events, *rush_events, *fast_events]),
            tracks={"pace.syllables_per_second": track},
        )
        return _without_hidden(found, talk)


def _without_hidden(found: Measured, talk: Talk) -> Measured:
    """Return the measures of pace that remain valid if silence cannot be told from speech.

    With other voices as close as the speaker's, a few words are theirs too, so changes of pace are
    skipped as well.
    """
    reason = talk.caution("silences")
    if reason is None:
        return found
    hidden: tuple[str, ...] = (ARTICULATION, FAST, END_PAUSES)
    kinds: tuple[str, ...] = ("fast_passage",)
    if talk.caution("crowd") is not None:
        hidden, kinds = (*hidden, END_RUSH, OPENING), (*kinds, "end_rush", "opening_rush")
    return replace(
        found,
        measurements={
            name: each for name, each in found.measurements.items() if name not in hidden
        },
        skipped={**found.skipped, **dict.fromkeys(hidden, reason)},
        events=tuple(event for event in found.events if event.kind not in kinds),
    )


def _no_change(talk: Talk, spoken: _PaceTimeline) -> Skipped | None:
    """Return why a change of pace within the talk cannot be measured, otherwise None."""
    if spoken.left_out:
        return Skipped.because(Reason.SEVERAL_SPEAKERS, "parts_hide_pace")
    if spoken.unread and spoken.seconds < _LEAST_FOR_CHANGE_SECONDS <= talk.seconds:
        return _UNREAD
    if spoken.seconds < _LEAST_FOR_CHANGE_SECONDS:
        return Skipped.because(
            Reason.TOO_SHORT,
            "talk_short_for_pace",
            seconds=math.floor(spoken.seconds),
            needed=_LEAST_FOR_CHANGE_SECONDS,
        )
    return None


def _pace_timeline(talk: Talk) -> _PaceTimeline:
    words = talk.spoken_words
    left_out = {
        index for first, last in restarts(words, talk.language_data) for index in range(first, last)
    }
    kept = tuple(word for index, word in enumerate(words) if index not in left_out)
    unread = tuple(
        (some[0][0], some[-1][1]) for some in untranscribed_spans(talk.words, talk.speech)
    )
    return _PaceTimeline(
        words=kept,
        language=talk.language.code,
        window=(words[0].start, words[-1].end),
        pauses=spans.without(quiet_gaps(talk.speech, talk.sound), unread),
        left_out=talk.options.left_out,
        others=other_sounds(talk.speech, talk.sound),
        unread=unread,
    )


def _rates(talk: Talk, spoken: _PaceTimeline) -> dict[str, Measurement]:
    syllables = count_syllables(spoken.words, spoken.language)
    fillers = spans.merged((event.start, event.end) for event in talk.filled_pauses)
    silent = spans.clipped(spoken.pauses, spoken.window)
    elsewhere = [*spoken.left_out, *spoken.others, *spoken.unread]
    phonation = spans.total(spans.without([spoken.window], [*silent, *fillers, *elsewhere]))
    quality = talk.text_quality
    coverage = talk.text_coverage
    said = count_words(spoken.words, spoken.language)
    values = {
        WORDS: (60 * said / spoken.seconds, "words per minute", said),
        RATE: (syllables / spoken.seconds, "syllables per second", syllables),
        ARTICULATION: (syllables / max(phonation, 1e-6), "syllables per second", syllables),
    }
    return {
        metric: Measurement.of(value, unit, n=n, coverage=coverage, quality=quality)
        for metric, (value, unit, n) in values.items()
    }


def _end_rush(talk: Talk, spoken: _PaceTimeline) -> tuple[Measurement | Skipped, list[Event]]:
    if (other := talk.caution("last_voice")) is not None:
        return other, []
    start, end = spoken.window
    edge = end - _END_SHARE * spoken.seconds
    if not spoken.is_enough(start, edge, end):
        return _UNREAD, []
    before = _bins(spoken, start, edge)
    after = _bins(spoken, edge, end)
    ratio = spoken.rate_between(edge, end) / max(spoken.rate_between(start, edge), 1e-6)
    measurement = talk.of_text(
        ratio,
        "ratio",
        n=len(after),
        interval=ratio_interval(after, before),
    )
    if ratio < _LEAST_RUSH:
        return measurement, []
    detail = {"ratio": round(ratio, 3)}
    return measurement, [Event(kind="end_rush", start=edge, end=end, detail=detail)]


def _end_pauses(talk: Talk, spoken: _PaceTimeline) -> Measurement | Skipped:
    """Return the median pause after sentences in the last fifth, divided by
    the median before it.
    """
    if (other := talk.caution("last_voice")) is not None:
        return other
    start, end = spoken.window
    edge = end - _END_SHARE * spoken.seconds
    between = [pause for pause in spoken.pauses if start < pause[0] and pause[1] < end]
    inside = [pause for pause in between if place_of(pause, talk) == "sentence_end"]
    before = [b - a for a, b in inside if b <= edge]
    after = [b - a for a, b in inside if a >= edge]
    if min(len(before), len(after)) < _LEAST_PAUSES:
        return Skipped.because(
            Reason.TOO_SHORT, "few_pauses_at_end", count=len(after), needed=_LEAST_PAUSES
        )
    return talk.of_text(
        float(np.median(after) / np.median(before)),
        "ratio",
        n=len(after),
    )


def _opening_rush(talk: Talk, spoken: _PaceTimeline) -> tuple[Measurement | Skipped, list[Event]]:
    """Return the pace of the first 30 s divided by that of the rest."""
    if (other := talk.caution("first_voice")) is not None:
        return other, []
    if spoken.seconds < _LEAST_FOR_OPENING_SECONDS:
        return Skipped.because(
            Reason.TOO_SHORT,
            "talk_short_for_opening",
            seconds=math.floor(spoken.seconds),
            needed=_LEAST_FOR_OPENING_SECONDS,
        ), []
    start, end = spoken.window
    edge = start + _OPENING_SECONDS
    if not spoken.is_enough(start, edge, end):
        return _UNREAD, []
    ratio = spoken.rate_between(start, edge) / max(spoken.rate_between(edge, end), 1e-6)
    measurement = talk.of_text(
        ratio,
        "ratio",
        n=spoken.syllables_between(start, edge),
        interval=ratio_interval(_bins(spoken, start, edge), _bins(spoken, edge, end)),
    )
    if ratio < _LEAST_RUSH:
        return measurement, []
    detail = {"ratio": round(ratio, 3)}
    return measurement, [Event(kind="opening_rush", start=start, end=edge, detail=detail)]


def _bins(spoken: _PaceTimeline, start: float, end: float) -> list[float]:
    """Return syllables per second in bins of about 5 s in which the person could speak."""
    count = max(round((end - start) / _BIN_SECONDS), 1)
    edges = np.linspace(start, end, count + 1)
    return [
        spoken.rate_between(float(left), float(right))
        for left, right in itertools.pairwise(edges)
        if spoken.seconds_between(float(left), float(right)) >= _LEAST_BIN_SECONDS
    ]


def _passages(talk: Talk, spoken: _PaceTimeline) -> tuple[Measurement, list[Event], Track]:
    start, end = spoken.window
    lefts = np.arange(start, end - WINDOW_SECONDS + 1e-6, HOP_SECONDS)
    windows = [(float(left), float(left) + WINDOW_SECONDS) for left in lefts]
    seconds = [spoken.seconds_between(*window) for window in windows]
    rates = [
        spoken.syllables_between(*window) / max(own, _LEAST_SECONDS)
        for window, own in zip(windows, seconds, strict=True)
    ]
    shares = [spoken.pause_share(*window) for window in windows]
    told = [rate for rate, own in zip(rates, seconds, strict=True) if own >= _LEAST_SECONDS]
    usual_rate = float(np.median(told or rates))
    usual_share = spoken.pause_share(start, end)
    fast = [
        0 < usual_rate <= rate / _FASTER and share < 0.5 * usual_share
        for rate, share in zip(rates, shares, strict=True)
    ]
    merged = spans.merged(window for window, is_fast in zip(windows, fast, strict=True) if is_fast)
    passages = spans.clipped(merged, spoken.window)
    events = [_fast_passage(spoken, passage, usual_rate) for passage in passages]
    share = talk.of_text(
        sum(spoken.seconds_between(*passage) for passage in passages) / max(spoken.seconds, 1e-6),
        "share",
        n=len(windows),
    )
    track = Track(
        start=round(start + WINDOW_SECONDS / 2, 3),
        step=HOP_SECONDS,
        unit="syllables per second",
        values=tuple(
            round(rate, 3) if own >= _LEAST_SECONDS else None
            for rate, own in zip(rates, seconds, strict=True)
        ),
    )
    return share, events, track


def _fast_passage(spoken: _PaceTimeline, passage: Span, usual: float) -> Event:
    rate = spoken.rate_between(*passage)
    return Event(
        kind="fast_passage",
        start=passage[0],
        end=min(passage[1], spoken.window[1]),
        detail={
            "ratio": round(rate / usual, 3),
            "pause_share": round(spoken.pause_share(*passage), 3),
        },
    )
