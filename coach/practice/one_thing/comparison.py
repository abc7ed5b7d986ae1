"""The one thing in two takes: plain counts, and a change in words only if it is sure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from django.utils.translation import gettext as _

from analysis.metrics import BY_ID
from analysis.results import Measurement, Report
from coach.feedback.corrected_reports import rows_for_reading
from coach.feedback.models import MeasuredValue
from coach.feedback.pages.measures import with_unit
from coach.feedback.reports import languages_in, measurement_in
from coach.feedback.selectors import latest_report_run
from coach.lib.words.clock import clock
from coach.lib.words.measure_words import label_of
from coach.practice.change import Change, Conclusion, Value, change_between
from coach.practice.one_thing.advice import Advice, Better
from coach.practice.progress.comparable_takes import situation_of, why_not
from coach.practice.redo.counts import count_words
from coach.rehearsals.comparability import recorded_otherwise
from coach.rehearsals.models import Rehearsal

Tone = Literal["step", "better", "plain"]

FEW = 10
"""Below this count in both takes, a change is uncertain because there are few (rule of thumb)."""
_LENGTHS_DIFFER = 1.2
"""The ratio of two lengths from which counts are shown with their lengths (rule of thumb)."""
_FAR = 0.5
"""A change is far beyond the measurement error if the error takes at most this share of it (rule of
thumb)."""
_COUNTS = frozenset({"fillers.filled_pauses_per_minute", "fillers.filler_words_per_minute"})
"""Measures whose sample size is the number of events found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer of a take to what its speaker meant to try."""

    facts: str = ""
    """Both takes in plain numbers; empty if one was not measured."""
    measure: str = ""
    """The name of the measure, if the numbers do not name what they count."""
    words: str = ""
    """What can be said about the change; empty if the numbers say it all."""
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    measured: Measurement
    seconds: float


def answer_of(advice: Advice, take: Rehearsal, report: Report) -> Answer:
    """Return how the one thing changed from the earlier take to this one."""
    earlier = advice.take
    run = latest_report_run(earlier) if earlier and advice.metric else None
    if earlier is None or run is None:
        return Answer()
    row = rows_for_reading([run], [advice.metric]).get(run.pk, {}).get(advice.metric)
    now = report.measurements.get(advice.metric)
    if row is None or why_not(row) is not None or now is None or now.leaves_everything_open:
        return Answer(words=_("We could not measure this in both takes, so we cannot compare."))
    language = languages_in([run])[run.pk]
    if obstacle := _obstacle(advice.metric, earlier, language, take, report):
        return Answer(words=obstacle)
    before = _Side(measured=measurement_in(row), seconds=earlier.duration or 0.0)
    after = _Side(measured=now, seconds=report.media.duration)
    return _answer(advice.metric, advice.better, before, after, row)


def _obstacle(
    metric: str, earlier: Rehearsal, language: str, take: Rehearsal, report: Report
) -> str:
    """Return why the two takes are not compared; empty if they are."""
    spoken = report.language.code if report.words else ""
    if not situation_of(earlier, language).includes(situation_of(take, spoken)):
        return _("Last time was in another language or setting, so we do not compare the two.")
    otherwise = recorded_otherwise(metric, earlier, take)
    if otherwise == "camera":
        return _("Last time the camera was in another place, so we do not compare the two.")
    if otherwise == "sound":
        return _(
            "The browser processed the sound differently last time, so we do not compare the two."
        )
    return ""


def _answer(metric: str, better: Better, before: _Side, after: _Side, row: MeasuredValue) -> Answer:
    one = Value(value=before.measured.value, low=row.low, high=row.high)
    low, high = after.measured.interval or (None, None)
    change = change_between(one, Value(value=after.measured.value, low=low, high=high))
    was, now = _pair(metric, before, after)
    answer = Answer(
        facts=_facts(change, was, now, is_few=_is_few(metric, before, after)),
        measure="" if metric in _COUNTS else label_of(metric),
    )
    words, tone = _judged(change, better)
    return replace(answer, words=words, tone=tone)


def _judged(change: Change, better: Better) -> tuple[str, Tone]:
    """Return what can be said about the change, and its tone."""
    if not change.is_clear or not better:
        return "", "plain"
    is_better = (change.verdict is Conclusion.LESS) == (better == "less")
    if not is_better:
        return _(
            "The difference is larger than the measurement error. The same advice is worth another "
            "try."
        ), "plain"
    if _is_far(change):
        return _("A big step, far larger than the measurement error. Well done."), "step"
    return _("A real step forward, larger than the measurement error."), "better"


def _is_far(change: Change) -> bool:
    """Return whether even the cautious end of the interval keeps most of the change."""
    low, high = change.low or 0.0, change.high or 0.0
    cautious = low if change.difference > 0 else high
    return abs(cautious) >= _FAR * abs(change.difference)


def _is_few(metric: str, before: _Side, after: _Side) -> bool:
    return metric in _COUNTS and max(before.measured.n, after.measured.n) < FEW


def _facts(change: Change, was: str, now: str, *, is_few: bool) -> str:
    said = {"before": was, "now": now}
    if change.is_clear or change.difference == 0 or change.verdict is Conclusion.NO_ERROR_KNOWN:
        return _("Last time %(before)s, this time %(now)s.") % said
    if is_few:
        return _("Last time %(before)s, this time %(now)s; too few to call it a change.") % said
    return _("Last time %(before)s, this time %(now)s; too close to call it a change.") % said


def _pair(metric: str, before: _Side, after: _Side) -> tuple[str, str]:
    """Return both values: counts, with their lengths if these differ, else values with units."""
    unit = BY_ID[metric].unit
    if metric not in _COUNTS:
        return with_unit(before.measured.value, unit), with_unit(after.measured.value, unit)
    was, now = count_words(metric, before.measured.n), str(after.measured.n)
    lengths = sorted((before.seconds, after.seconds))
    if lengths[0] <= 0 or lengths[1] / lengths[0] < _LENGTHS_DIFFER:
        return was, now
    words = _("%(count)s in %(length)s")
    return (
        words % {"count": was, "length": clock(before.seconds)},
        words % {"count": now, "length": clock(after.seconds)},
    )
