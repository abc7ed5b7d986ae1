"""How long a stretch of a take has to be, so that its measure comes to something."""

from __future__ import annotations

import math
from collections.abc import Mapping

from coach.feedback.reports import rows_in
from coach.feedback.selectors import latest_report_run
from coach.practice.redo.focus import MOST_SECONDS, USUAL_SECONDS, measures_for
from coach.rehearsals.models import Rehearsal

Counts = Mapping[str, int]
"""On how much each measure rests in the whole take: sentence ends, words."""

_SENTENCES = {
    "pauses.boundary_pause_share": 8,
    "loudness.sentence_end_drop_share": 8,
    "wording.sentence_length_words": 8,
}
"""A share of fewer says nothing of a change (what the rule of such pauses asks for)."""
_WORDS = {
    "wording.hedges_per_100_words": 60,
    "wording.restarts_per_100_words": 60,
    "wording.verbal_habits_per_minute": 60,
}
"""Wording is measured from 50 words on; some more, since nobody repeats them all."""
_SECONDS = {"gaze.look_downs_per_minute": 40.0, "posture.self_touch_per_minute": 40.0}
"""A rate of what is seen is measured from 30 seconds on in which one is seen."""
_ALL_WORDS = "pace.words_per_minute"
_SECONDS_OF_A_SENTENCE, _SECONDS_OF_A_WORD = 6.0, 0.45
"""Where this talk has not been counted (rules of thumb)."""
_STEP_SECONDS = 5.0


def counts_of(take: Rehearsal) -> Counts:
    """From the newest report; empty where there is none."""
    run = latest_report_run(take)
    if run is None:
        return {}
    rows = rows_in([run], [*_SENTENCES, _ALL_WORDS]).get(run.pk, {})
    return {metric: row.n for metric, row in rows.items() if not row.reason and row.n}


def seconds_for(metric: str, take: Rehearsal, counts: Counts) -> float:
    """At the pace of this talk, in steps of five seconds; half a minute at least."""
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


def stretches_for(take: Rehearsal, counts: Counts) -> dict[str, float]:
    """What a stretch of this take can be compared by, each with the seconds that it needs.

    What needs more than one says again by heart, or more than the take has, is not among them; a
    take that is shorter than usual is done again as a whole.
    """
    most = min(MOST_SECONDS, max(take.duration or 0.0, USUAL_SECONDS))
    needed = {each: seconds_for(each, take, counts) for each in measures_for(take)}
    return {metric: seconds for metric, seconds in needed.items() if seconds <= most}
