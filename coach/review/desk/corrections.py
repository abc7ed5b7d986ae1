"""Corrections on the review page: events that can be removed, and corrections made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.results import Event, Report
from coach.feedback.corrections import STRIKES
from coach.feedback.models import Correction, Feedback
from coach.feedback.pages.cards import ClipLink
from coach.feedback.pages.coach_feedback import ReadCorrection, correction_words, place_of
from coach.feedback.pages.timeline import AWAY
from coach.rehearsals.models import Rehearsal


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectedEvent:
    """A detected filler or look away, with the values for removing it."""

    kind: str
    start: float
    end: float
    clips: tuple[ClipLink, ...]
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventGroup:
    """All detected events of one kind."""

    label: str
    rows: tuple[DetectedEvent, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskCorrection:
    """A correction in force, and the address that undoes it."""

    id: str
    read: ReadCorrection
    undo_url: str
    """Empty if it belongs to a released version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionsPanel:
    """What can be corrected in a report, and the corrections made."""

    rehearsal_id: str
    groups: tuple[EventGroup, ...]
    corrected: tuple[DeskCorrection, ...]
    can_correct: bool
    problem: str = ""


_LABELS: dict[str, str | Promise] = {
    "filled_pause": gettext_lazy("Ums and uhs"),
    "filler_word": gettext_lazy("Filler words"),
    "look_away": gettext_lazy("Looks away"),
}


def corrections_panel(
    rehearsal: Rehearsal,
    feedback: Feedback,
    report: Report,
    corrections: Iterable[Correction],
    *,
    can_correct: bool,
    problem: str = "",
) -> CorrectionsPanel:
    """Return the panel; `report` is the corrected one, without removed events."""
    groups = (
        EventGroup(label=str(label), rows=tuple(_found(event) for event in report.events_of(kind)))
        for kind, label in _LABELS.items()
        if kind in STRIKES
    )
    return CorrectionsPanel(
        rehearsal_id=str(rehearsal.pk),
        groups=tuple(group for group in groups if group.rows),
        corrected=tuple(_corrected(rehearsal, feedback, each) for each in corrections),
        can_correct=can_correct and feedback.state == Feedback.State.DRAFT,
        problem=problem,
    )


def _found(event: Event) -> DetectedEvent:
    return DetectedEvent(
        kind=event.kind,
        start=event.start,
        end=event.end,
        clips=(place_of(event.start, event.end),),
        words=_words(event),
    )


def _words(event: Event) -> str:
    if event.kind == "look_away":
        return str(AWAY.get(event.label, event.label))
    return event.label or _("um")


def _corrected(rehearsal: Rehearsal, feedback: Feedback, correction: Correction) -> DeskCorrection:
    is_own = correction.feedback_id == feedback.pk
    url = reverse("review:undo_correction", args=[rehearsal.pk, correction.pk])
    return DeskCorrection(
        id=str(correction.pk),
        read=correction_words(correction),
        undo_url=url if is_own else "",
    )
