"""What a coach can put right, place by place, and what was corrected already."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.results import Event, Report
from coach.feedback.corrections import STRIKES
from coach.feedback.models import Correction, Feedback
from coach.feedback.pages.corrections import correction_words, place_of
from coach.feedback.pages.values import ClipLink, ReadCorrection
from coach.lib.words.measure_words import event_label_words, event_words
from coach.rehearsals.models import Rehearsal


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One filler or look-away, with what it takes to say that it was none."""

    kind: str
    start: float
    end: float
    clips: tuple[ClipLink, ...]
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundGroup:
    """All of one kind."""

    label: str
    rows: tuple[Found, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """One correction that stands, and how it is undone."""

    id: str
    read: ReadCorrection
    undo_url: str
    """Empty where it belongs to a version that was released."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionsPanel:
    """What can be put right in a report, and what was."""

    rehearsal_id: str
    groups: tuple[FoundGroup, ...]
    corrected: tuple[Corrected, ...]
    can_correct: bool
    problem: str = ""


def corrections_panel(
    rehearsal: Rehearsal,
    feedback: Feedback,
    report: Report,
    corrections: Iterable[Correction],
    *,
    can_correct: bool,
    problem: str = "",
) -> CorrectionsPanel:
    """`report` is the corrected one: what was struck is no longer among what was found."""
    groups = (
        FoundGroup(
            label=event_words(kind),
            rows=tuple(_found(event) for event in report.events_of(kind)),
        )
        for kind in STRIKES
    )
    return CorrectionsPanel(
        rehearsal_id=str(rehearsal.pk),
        groups=tuple(group for group in groups if group.rows),
        corrected=tuple(_corrected(rehearsal, feedback, each) for each in corrections),
        can_correct=can_correct and feedback.state == Feedback.State.DRAFT,
        problem=problem,
    )


def _found(event: Event) -> Found:
    return Found(
        kind=event.kind,
        start=event.start,
        end=event.end,
        clips=(place_of(event.start, event.end),),
        words=_words(event),
    )


def _words(event: Event) -> str:
    if event.kind == "look_away":
        return event_label_words(event.kind, event.label)
    return event.label or _("um")


def _corrected(rehearsal: Rehearsal, feedback: Feedback, correction: Correction) -> Corrected:
    is_own = correction.feedback_id == feedback.pk
    url = reverse("review:undo_correction", args=[rehearsal.pk, correction.pk])
    return Corrected(
        id=str(correction.pk),
        read=correction_words(correction),
        undo_url=url if is_own else "",
    )
