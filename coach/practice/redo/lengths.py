"""Length that a part of a take needs for its measure to show a change."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping

from analysis.results import Report
from coach.feedback.documents import CardDocument
from coach.feedback.reports import report_of
from coach.feedback.selectors import latest_report_run
from coach.practice.redo.detectability import can_be_clear, moments_of
from coach.practice.redo.focus import MOST_SECONDS, USUAL_SECONDS, measures_for, span_around
from coach.rehearsals.models import Rehearsal

Counts = Mapping[str, int]
"""Sample size of each measure in the whole take: sentence ends, words."""

_SENTENCES = {
    "pauses.boundary_pause_share": 8,
    "loudness.sentence_end_drop_share": 8,
    "wording.sentence_length_words": 8,
}
"""Least number of sentences for a meaningful change of a share (as in the rule on such pauses)."""
_WORDS = {
    "wording.hedges_per_100_words": 60,
    "wording.restarts_per_100_words": 60,
    "wording.verbal_habits_per_minute": 60,
}
"""Wording is measured from 50 words; some more are needed, since nobody repeats them all."""
_SECONDS = {
    "gaze.look_downs_per_minute": 40.0,
    "posture.self_touch_per_minute": 40.0,
    "pitch.variation_quotient": 45.0,
    "pitch.monotone_share": 45.0,
}
"""Rates of visible events need 30 visible seconds; pitch variation within ten seconds needs three
times as much speech."""
_ALL_WORDS = "pace.words_per_minute"
_SECONDS_OF_A_SENTENCE, _SECONDS_OF_A_WORD = 6.0, 0.45
"""Defaults for an uncounted talk (rules of thumb)."""
_STEP_SECONDS, _LONGER_SECONDS = 5.0, 15.0


def report_on(take: Rehearsal) -> Report | None:
    """Return the newest report; None if there is none."""
    run = latest_report_run(take)
    return report_of(run) if run else None


def _seconds_measured(metric: str, take: Rehearsal, counts: Counts) -> float:
    """Return the needed seconds at the pace of this talk, in steps of five; at least half a
    minute.
    """
    duration = take.duration or 0.0
    if metric in _SENTENCES:
        needed = _SENTENCES[metric] * _each(duration, counts.get(metric), _SECONDS_OF_A_SENTENCE)
    elif metric in _WORDS:
        needed = _WORDS[metric] * _each(duration, counts.get(_ALL_WORDS), _SECONDS_OF_A_WORD)
    else:
        needed = _SECONDS.get(metric, 0.0)
    return max(USUAL_SECONDS, _STEP_SECONDS * math.ceil(needed / _STEP_SECONDS))


def _each(duration: float, count: int | None, usual: float) -> float:
    return duration / count if count and duration else usual


def stretches_for(
    take: Rehearsal, report: Report | None, card: CardDocument | None = None
) -> dict[str, float]:
    """Return the measures by which a part of this take can be compared, with the seconds each
    needs.

    Left out is a measure that needs more than people repeat by heart, or more than the take has, or
    that could show no change; a take shorter than usual is redone as a whole. With a card the part
    is around its moment, otherwise where most events are.
    """
    found = {each: seconds_to_compare(each, take, report, card) for each in measures_for(take)}
    return {metric: seconds for metric, seconds in found.items() if seconds is not None}


def stretch_for(
    metric: str, take: Rehearsal, report: Report | None, card: CardDocument | None, seconds: float
) -> tuple[float, float]:
    """Return the part around a card's moment; without a card, where most counted events are."""
    duration = take.duration or 0.0
    if (card and card.clips) or report is None:
        return span_around(card, duration, seconds)
    moments, latest = moments_of(report, metric), max(duration - seconds, 0.0)
    starts = [0.0, *(float(int(min(moment, latest))) for moment in moments)]
    first = max(
        starts,
        key=lambda start: bisect_left(moments, start + seconds) - bisect_left(moments, start),
    )
    return first, float(int(min(first + seconds, duration)))


def seconds_to_compare(
    metric: str, take: Rehearsal, report: Report | None, card: CardDocument | None
) -> float | None:
    """Return the shortest length in which the measure could show a change; None if there is
    none.
    """
    counts = {} if report is None else {key: each.n for key, each in report.measurements.items()}
    for seconds in _lengths(_seconds_measured(metric, take, counts), take):
        stretch = stretch_for(metric, take, report, card, seconds)
        if report is None or can_be_clear(metric, report, stretch):
            return seconds
    return None


def _lengths(shortest: float, take: Rehearsal) -> Iterator[float]:
    most = min(MOST_SECONDS, max(take.duration or 0.0, USUAL_SECONDS))
    while shortest <= most:
        yield shortest
        shortest += _LONGER_SECONDS
