"""Slides that were shown and timed: read aloud, on for long, or many in a short time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import median

from analysis.ports import Measured, Span, TimedSlides
from analysis.results import Event, Measurement, Quality, Reason, Skipped
from analysis.talk import spans
from analysis.talk.shown_slides import (
    PASSED_OVER_SECONDS,
    Showing,
    read_runs,
    showings,
    slide_tokens,
    tidy_changes,
    words_between,
)
from analysis.talk.talk import Talk

MOST_READ = "structure.most_read_slide_share"
LONGEST = "structure.longest_slide_ratio"
BURSTS = "structure.slide_bursts_per_minute"

_LEAST_SECONDS = 30.0
_LEAST_WORDS_TO_READ = 15
"""Fewest words of a slide that is compared: a title or key words are said by chance (rule of
thumb).
"""
_LEAST_SLIDES = 5
"""Fewest slides of which one can be long (rule of thumb)."""
_WITHIN_SECONDS, _BURST, _LEAST_WORDS_OF_A_BURST = 60.0, 5, 10
"""A burst: five slides with ten words each within a minute (rule of thumb). PechaKucha, a format
that is known as fast, gives each slide 20 s.
"""


class SlideUse:
    """Analyser of slides that the recorder timed. Estimated changes are not measured."""

    name = "slide_use"
    provides: tuple[str, ...] = (MOST_READ, LONGEST, BURSTS)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        reason = talk.no_speech or (None if talk.slides else _NO_SLIDES)
        reason = reason or talk.too_short(needed=_LEAST_SECONDS, what="slides")
        if reason is not None or talk.slides is None:
            return Measured.skipping(self.provides, reason or _NO_SLIDES)
        shown = _shown(talk, talk.slides)
        parts = (
            _read(talk, talk.slides, shown),
            _long(talk, shown),
            _bursts(talk, talk.slides, shown),
        )
        return Measured(
            measurements={k: v for part in parts for k, v in part.measurements.items()},
            skipped={k: v for part in parts for k, v in part.skipped.items()},
            events=tuple(event for part in parts for event in part.events),
        )


_NO_SLIDES = Skipped.because(Reason.MISSING_CONTEXT, "no_slides_timed")


def _shown(talk: Talk, slides: TimedSlides) -> list[Showing]:
    """Return the showings while the speaker talks, without slides that were passed over."""
    duration = talk.media.duration
    changes = tidy_changes(slides.changes, slides=len(slides.texts), duration=duration)
    first, last = talk.window
    clipped = (
        Showing(slide=each.slide, start=max(each.start, first), end=min(each.end, last))
        for each in showings(changes, duration)
        if each.seconds >= PASSED_OVER_SECONDS
    )
    return [each for each in clipped if each.seconds > 0]


def _read(talk: Talk, slides: TimedSlides, shown: Sequence[Showing]) -> Measured:
    reason = talk.no_text or talk.caution("speakers")
    if reason is not None:
        return Measured.skipping((MOST_READ,), reason)
    long = [
        (each, words)
        for each in shown
        if (words := len(slide_tokens(slides.texts[each.slide]))) >= _LEAST_WORDS_TO_READ
    ]
    if not long:
        few = Skipped.because(Reason.LOW_COVERAGE, "slides_with_few_words")
        return Measured.skipping((MOST_READ,), few)
    shares = [_reading(talk, slides, each, words) for each, words in long]
    most = max(share for share, _event in shares)
    return Measured(
        measurements={MOST_READ: talk.of_text(most, "share", n=len(long))},
        events=tuple(event for _share, event in shares if event is not None),
    )


def _reading(
    talk: Talk, slides: TimedSlides, shown: Showing, words: int
) -> tuple[float, Event | None]:
    """Return the share of a slide's words that was read aloud, and where."""
    said = words_between(talk.words, shown.start, shown.end)
    runs = sorted(read_runs(slides.texts[shown.slide], said), key=lambda run: run.words[0].start)
    if not runs:
        return 0.0, None
    share = round(sum(len(run.words) for run in runs) / words, 3)
    event = Event(
        kind="slide_read_aloud",
        start=runs[0].words[0].start,
        end=runs[-1].words[-1].end,
        detail={"slide": shown.slide + 1, "share": share, "words": words},
    )
    return share, event


def _long(talk: Talk, shown: Sequence[Showing]) -> Measured:
    seconds = _seconds(talk, shown)
    if len(seconds) < _LEAST_SLIDES:
        few = Skipped.because(Reason.TOO_SHORT, "few_slides_timed", needed=_LEAST_SLIDES)
        return Measured.skipping((LONGEST,), few)
    longest = max(seconds, key=lambda slide: seconds[slide])
    others = median(value for slide, value in seconds.items() if slide != longest)
    ratio = seconds[longest] / max(others, PASSED_OVER_SECONDS)
    visits = [each for each in shown if each.slide == longest]
    visit = max(visits, key=lambda each: each.seconds)
    detail = {"slide": longest + 1, "seconds": round(seconds[longest], 1)}
    return Measured(
        measurements={LONGEST: _of_times(talk, ratio, "ratio", n=len(seconds))},
        events=(Event(kind="long_slide", start=visit.start, end=visit.end, detail=detail),),
    )


def _seconds(talk: Talk, shown: Sequence[Showing]) -> Mapping[int, float]:
    """Return the seconds with each slide, without the parts in which others speak."""
    seconds: dict[int, float] = defaultdict(float)
    for each in shown:
        out = spans.overlap((each.start, each.end), talk.options.left_out)
        seconds[each.slide] += each.seconds - out
    return {slide: value for slide, value in seconds.items() if value >= PASSED_OVER_SECONDS}


def _bursts(talk: Talk, slides: TimedSlides, shown: Sequence[Showing]) -> Measured:
    if not any(slide_tokens(text) for text in slides.texts):
        scanned = Skipped.because(Reason.LOW_COVERAGE, "slides_with_few_words")
        return Measured.skipping((BURSTS,), scanned)
    full = [
        each
        for each in shown
        if len(slide_tokens(slides.texts[each.slide])) >= _LEAST_WORDS_OF_A_BURST
    ]
    rows = (full[at : at + _BURST] for at in range(len(full) - _BURST + 1))
    found: list[Span] = [
        (row[0].start, row[-1].end)
        for row in rows
        if row[-1].end - row[0].start <= _WITHIN_SECONDS
        and len({each.slide for each in row}) == _BURST
    ]
    events = tuple(
        Event(
            kind="slide_burst",
            start=start,
            end=end,
            detail={"count": sum(start <= each.start and each.end <= end for each in full)},
        )
        for start, end in spans.merged(found)
    )
    rate = len(events) / talk.minutes
    value = _of_times(talk, rate, "per minute", n=len(events))
    return Measured(measurements={BURSTS: value}, events=events)


def _of_times(talk: Talk, value: float, unit: str, *, n: int) -> Measurement:
    """Return a measurement of recorded times: no word can be missing from it."""
    quality = Quality.GOOD if talk.quality_by_length is Quality.GOOD else Quality.FAIR
    return Measurement.of(value, unit, n=n, coverage=1.0, quality=quality)
