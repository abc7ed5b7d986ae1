"""Content of the pages of a redone part."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from math import hypot
from typing import Literal

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.metrics import BY_ID
from analysis.results import Reason
from coach.feedback.models import Item, MeasuredValue, Run
from coach.feedback.pages.analysing import analysing_page
from coach.feedback.pages.measures import REASONS, row_words
from coach.feedback.reports import measured_by, measurement_in, report_of
from coach.feedback.selectors import latest_run
from coach.lib.words.clock import clock
from coach.lib.words.dates import date_words
from coach.lib.words.measure_words import plain_sentence
from coach.lib.words.sentences import whole
from coach.practice.cards import card_now
from coach.practice.change import Value, change_between
from coach.practice.models import SpanAgain
from coach.practice.preferences import reads_words_first
from coach.practice.redo.counts import BURSTS, counted_words, name_of
from coach.practice.redo.focus import MOST_SECONDS, PARTS_OF
from coach.practice.redo.selectors import same_span
from coach.practice.words import change_words
from coach.rehearsals.comparability import recorded_otherwise
from coach.rehearsals.models import Rehearsal

State = Literal["record", "running", "failed", "done"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of the comparison: its player and its value."""

    heading: str
    media_url: str
    media_type: str
    has_video: bool
    label: str
    value: str = ""
    note: str = ""
    """Why there is no value, or how reliable it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanPage:
    """One attempt, from recording to comparison."""

    id: str
    title: str
    state: State
    span: str
    """Start and end, such as 1:20 to 1:50."""
    measure: str
    meaning: str
    claim: str
    suggestion: str
    """The one thing to keep in mind."""
    language: str
    back_url: str
    before: Side
    after: Side | None
    percent: int
    problem: str
    change: str
    rests_on: str
    tries: tuple[tuple[str, str], ...]
    """Other attempts at the same part: URL and label."""
    max_minutes: int
    words_first: bool = False
    """Whether figures are hidden until requested."""
    is_sound: bool = False
    """Whether the take has no picture: by default neither has the new recording."""


def span_page(span: SpanAgain) -> SpanPage:
    """Return the current state of the page."""
    take = span.take
    state, percent, problem = _state(span)
    before, after = _measured(span.before), _measured(span.after)
    words_first = reads_words_first(take.owner)
    lead, rests_on = "", ""
    if state == "done":
        lead, rests_on = _change(span, before, after, words_first=words_first)
    card = card_now(span.item) if span.item else None
    return SpanPage(
        id=str(span.pk),
        title=take.title,
        state=state,
        span=span_words(span),
        measure=name_of(span.metric),
        meaning=_meaning(span.metric),
        claim=card.claim if card else "",
        suggestion=card.suggestion if card else "",
        language=card.language if card else "",
        back_url=_back(take, span.item),
        before=_before(span, before if state == "done" else None),
        after=_after(span, span.after, after) if span.after and state == "done" else None,
        percent=percent,
        problem=problem,
        change=lead,
        rests_on=rests_on,
        tries=tuple(
            (reverse("practice:span", args=[each.pk]), _try_words(each))
            for each in same_span(span).exclude(pk=span.pk).filter(after__isnull=False)
        ),
        words_first=words_first,
        is_sound=take.has_video is False,
        max_minutes=min(round(2 * MOST_SECONDS / 60), settings.MAX_MINUTES),
    )


def span_words(span: SpanAgain) -> str:
    """Return the start and end in words."""
    return _("%(start)s to %(end)s") % {"start": clock(span.start), "end": clock(span.end)}


def _try_words(span: SpanAgain) -> str:
    return date_words(span.after.created_at if span.after else span.created_at)


def _back(take: Rehearsal, item: Item | None) -> str:
    report = reverse("feedback:report", args=[take.pk])
    return f"{report}#card-{item.pk}" if item else report


def _state(span: SpanAgain) -> tuple[State, int, str]:
    """Return the state, the progress in per cent, and the problem in words."""
    if span.after is None:
        return "record", 0, ""
    pages = [
        analysing_page(each, run)
        for each in (span.before, span.after)
        if (run := latest_run(each)) is not None
    ]
    failed = next((page for page in pages if page.failed), None)
    if failed is not None:
        return "failed", 0, failed.problem
    if all(page.finished for page in pages):
        return "done", 100, ""
    return "running", sum(page.percent for page in pages) // max(len(pages), 1), ""


def _measured(rehearsal: Rehearsal | None) -> Run | None:
    run = latest_run(rehearsal) if rehearsal else None
    return run if run is not None and run.state == Run.State.DONE else None


def _value(run: Run | None, metric: str) -> MeasuredValue | None:
    """Return the measured value; several parts are summed, with the interval of a sum (MOVER)."""
    if run is None:
        return None
    rows = [measured_by(run, part) for part in PARTS_OF.get(metric, (metric,))]
    first, *others = rows
    if first is None or not others:
        return first
    found = [row for row in rows if row is not None and row.value is not None]
    if len(found) < len(rows):
        return next((row for row in rows if row is not None and row.value is None), None)
    whole = copy(first)
    whole.value = sum(row.value or 0.0 for row in found)
    if all(row.low is not None and row.high is not None for row in found):
        down = hypot(*((row.value or 0.0) - (row.low or 0.0) for row in found))
        up = hypot(*((row.high or 0.0) - (row.value or 0.0) for row in found))
        whole.low, whole.high = max(whole.value - down, 0.0), whole.value + up
    return whole


def _meaning(metric: str) -> str:
    if metric == BURSTS:
        return _("How often “um”, “uh” or words such as “like” and “you know” were heard.")
    return plain_sentence(metric)


def _change(
    span: SpanAgain, before: Run | None, after: Run | None, *, words_first: bool
) -> tuple[str, str]:
    """Return the counts and what can be said about the rate.

    If the person hides figures, the counts are hidden too.
    """
    lead, rests_on, is_few = _conclusion_of(span, before, after)
    values = [_value(run, span.metric) for run in (before, after)]
    if before is None or after is None or any(row is None or row.value is None for row in values):
        return lead, rests_on
    sides = report_of(before), report_of(after)
    counted = counted_words(span.metric, *sides, is_few=is_few)
    if words_first or not counted:
        return lead, f"{counted} {rests_on}".strip()
    return counted, rests_on if is_few else f"{lead} {rests_on}"


def _conclusion_of(span: SpanAgain, before: Run | None, after: Run | None) -> tuple[str, str, bool]:
    """Return the conclusion, its basis, and whether the change is within measurement error."""
    metric = span.metric
    values = [_value(run, metric) for run in (before, after)]
    if any(each is None or each.value is None for each in values):
        return (
            _("We cannot tell whether this changed."),
            _("We could not measure this in both recordings; see the reason below."),
            False,
        )
    if any(each is not None and measurement_in(each).is_open for each in values):
        return (
            _("We cannot tell whether this changed."),
            _("One of the two recordings is too uncertain to compare."),
            False,
        )
    if span.after and recorded_otherwise(metric, span.before, span.after) == "sound":
        return (
            _("We cannot tell whether this changed."),
            _(
                "The browser processed the sound of only one of the two recordings, and this "
                "alone changes the measure."
            ),
            False,
        )
    one, other = (
        Value(value=each.value, low=each.low, high=each.high)
        for each in values
        if each is not None and each.value is not None
    )
    change = change_between(one, other)
    return *change_words(change, BY_ID[metric].unit), not change.is_clear


def _before(span: SpanAgain, run: Run | None) -> Side:
    take = span.take
    value, note = _said(run, span.metric) if run else ("", "")
    here = "" if take.media_removed_at else reverse("rehearsals:media", args=[take.pk])
    return Side(
        heading=_("Before"),
        media_url=here and f"{here}#t={span.start:.1f},{span.end:.1f}",
        media_type=take.playback_type,
        has_video=bool(take.has_video),
        label=_("Before, %(span)s") % {"span": span_words(span)},
        value=value,
        note=note,
    )


def _after(span: SpanAgain, recorded: Rehearsal, run: Run | None) -> Side:
    value, note = _said(run, span.metric) if run else ("", "")
    return Side(
        heading=_("Now"),
        media_url=""
        if recorded.media_removed_at
        else reverse("rehearsals:media", args=[recorded.pk]),
        media_type=recorded.playback_type,
        has_video=bool(recorded.has_video),
        label=_("Now"),
        value=value,
        note=note,
    )


def _said(run: Run, metric: str) -> tuple[str, str]:
    """Return a value in words, or why there is none and what would help."""
    measured = _value(run, metric)
    if measured is not None and measured.value is not None:
        return row_words(measured), ""
    reason = Reason(measured.reason) if measured and measured.reason else Reason.TOO_SHORT
    skipped = report_of(run).skipped.get(metric)
    detail = whole(skipped) if skipped is not None and skipped.reason == reason else ""
    return "", f"{REASONS[reason]} {detail}".strip()
