"""Runs: the longest stretch without a rest, and silences that stand out."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from analysis.ports import Measured, Span
from analysis.results import Event, Measurement, Reason, Skipped, Word, in_time_order
from analysis.talk import spans
from analysis.talk.languages import plain
from analysis.talk.pause_places import place_of
from analysis.talk.phrases import are_believed
from analysis.talk.silences import other_sounds, quiet_gaps
from analysis.talk.statistics import variation, variation_interval
from analysis.talk.stretches import longest, stretches
from analysis.talk.talk import Talk

RUN = "pauses.longest_run_seconds"
AT_BOUNDARY = "pauses.longest_at_boundary_seconds"
PHRASES = "pauses.phrase_length_variation"

_LEAST_SECONDS = 10.0
_REST_SECONDS = 0.5
"""Shortest rest; shorter silences are hardly heard as one (rule of thumb; 0.6 s after a sentence
was rated most natural, Liu 2022).
"""
_WORTH_SHOWING_SECONDS = 12.0
_LEAST_PHRASES = 12
"""Fewest phrases whose lengths are compared (rule of thumb)."""
_STANDS_FROM_SECONDS, _STANDS_TO_SECONDS = 1.5, 3.5
_TIMES_THE_USUAL = 1.6
_MOST_THAT_STAND = 3
"""Most events: a silence stands out only if the others are shorter, so pauses of 2 s everywhere
give no event (rules of thumb).
"""
_NEAR_A_FILLER_SECONDS = 1.0
_LABEL_WORDS = 3


class Runs:
    """Analyser of rests of at least half a second: the longest run without one, and outstanding
    silences; and of the lengths of phrases.
    """

    name = "runs"
    provides: tuple[str, ...] = (RUN, AT_BOUNDARY, PHRASES)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        reason = (
            talk.no_speech
            or talk.caution("speakers", "silences")
            or talk.too_short(needed=_LEAST_SECONDS, what="run")
        )
        if reason is not None:
            return Measured.skipping(self.provides, reason)
        found, events = _longest_run(talk)
        boundary, standing = _longest_boundary_silence(talk)
        outcomes = {RUN: found, AT_BOUNDARY: boundary, PHRASES: _phrase_length_variation(talk)}
        return Measured(
            measurements={k: v for k, v in outcomes.items() if isinstance(v, Measurement)},
            skipped={k: v for k, v in outcomes.items() if isinstance(v, Skipped)},
            events=in_time_order([*events, *standing]),
        )


def _longest_run(talk: Talk) -> tuple[Measurement, list[Event]]:
    rests = quiet_gaps(talk.speech, talk.sound, at_least=_REST_SECONDS)
    runs = stretches(talk, rests)
    top = longest(runs) or talk.window
    seconds = max(talk.seconds, 1e-6)
    coverage = 1 - spans.total(other_sounds(talk.speech, talk.sound)) / seconds
    quality = talk.quality_of_silences(coverage)
    measurement = Measurement.of(
        top[1] - top[0], "s", n=len(runs), coverage=coverage, quality=quality
    )
    events = [
        Event(kind="run_on", start=start, end=end)
        for start, end in runs
        if end - start >= _WORTH_SHOWING_SECONDS
    ]
    return measurement, events


def _phrase_length_variation(talk: Talk) -> Measurement | Skipped:
    """Return the coefficient of variation of the lengths of phrases, on trial: no rule uses it.

    In Niebuhr (2024), larger rhythm units of more varied duration went with charisma (8 speakers,
    21 listeners). The definition is ours: a phrase is the speech between two silences of 250 ms
    (Goldman-Eisler, 1968), and the standard deviation of the lengths is divided by their mean.
    """
    lengths = [end - start for start, end in stretches(talk, quiet_gaps(talk.speech, talk.sound))]
    if len(lengths) < _LEAST_PHRASES:
        return Skipped.because(
            Reason.TOO_SHORT, "few_phrases", count=len(lengths), needed=_LEAST_PHRASES
        )
    coverage = 1 - spans.total(other_sounds(talk.speech, talk.sound)) / max(talk.seconds, 1e-6)
    return Measurement.of(
        variation(lengths),
        "ratio",
        n=len(lengths),
        coverage=coverage,
        quality=talk.quality_of_silences(coverage),
        interval=variation_interval(lengths),
    )


def _longest_boundary_silence(talk: Talk) -> tuple[Measurement | Skipped, list[Event]]:
    reason = talk.no_text
    if reason is not None:
        return reason, []
    silences = [
        gap
        for gap in quiet_gaps(talk.speech, talk.sound)
        if place_of(gap, talk) == "sentence_end" and gap[1] < talk.words[-1].start
    ]
    if not silences:
        return Skipped.because(Reason.LOW_COVERAGE, "no_pause_between_sentences"), []
    lengths = [end - start for start, end in silences]
    measurement = talk.of_text(
        max(lengths),
        "s",
        n=len(lengths),
    )
    return measurement, _outstanding_silences(talk, silences)


def _outstanding_silences(talk: Talk, silences: Sequence[Span]) -> list[Event]:
    """Return silences after a sentence that are much longer than the median and not near a filled
    pause.
    """
    usual = statistics.median(end - start for start, end in silences)
    least = max(_STANDS_FROM_SECONDS, _TIMES_THE_USUAL * usual)
    if len(silences) < 3:
        return []
    found = [
        event
        for start, end in silences
        if least <= end - start <= _STANDS_TO_SECONDS
        and not _is_near_a_filler((start, end), talk)
        and (event := _silence_event((start, end), talk)) is not None
    ]
    return found if len(found) <= _MOST_THAT_STAND else []


def _is_near_a_filler(silence: Span, talk: Talk) -> bool:
    start, end = silence[0] - _NEAR_A_FILLER_SECONDS, silence[1] + _NEAR_A_FILLER_SECONDS
    return any(event.start < end and event.end > start for event in talk.filled_pauses)


def _silence_event(silence: Span, talk: Talk) -> Event | None:
    """Return an event for the silence and the words after it; None if the words are uncertain."""
    after = _words_after(silence, talk)
    if not after or not are_believed(after):
        return None
    return Event(
        kind="standing_silence",
        start=silence[0],
        end=after[-1].end,
        label=" ".join(plain(word.text) for word in after),
        detail={"seconds": round(silence[1] - silence[0], 2)},
    )


def _words_after(silence: Span, talk: Talk) -> tuple[Word, ...]:
    middle = (silence[0] + silence[1]) / 2
    words = [word for word in talk.spoken_words if word.start >= middle]
    return tuple(words[:_LABEL_WORDS])
