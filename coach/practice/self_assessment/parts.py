"""Additions of self-assessment to a report, and when it is asked for first."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse

from coach.accounts.models import User
from coach.feedback.notes import notes_for_reading
from coach.feedback.pages.extensions import PagePart, ReportReading
from coach.practice.models import SelfAssessment
from coach.practice.self_assessment.agreement import matches_of
from coach.practice.self_assessment.forms import SelfAssessmentForm
from coach.practice.self_assessment.page import self_assessment_summary
from coach.practice.self_assessment.selectors import (
    assessment_for_coach,
    is_first_report,
    is_to_be_asked,
    own_assessment,
)
from coach.rehearsals.models import Rehearsal


def before_report(rehearsal: Rehearsal, _reader: User) -> str:
    """Return the URL of the questions if they are still to be asked; empty otherwise.

    Nothing stands before a person's first report; while they wait, the questions are beside it.
    """
    if not is_to_be_asked(rehearsal) or is_first_report(rehearsal):
        return ""
    return reverse("practice:self_assess", args=[rehearsal.pk])


def while_waiting(rehearsal: Rehearsal) -> Iterable[PagePart]:
    """Yield the questions for the time of the analysis, if they are still to be asked."""
    if is_to_be_asked(rehearsal):
        context = {**waiting_values(rehearsal), "form": SelfAssessmentForm()}
        yield PagePart(place="waiting", template="practice/_ask_oneself.html", context=context)


def waiting_values(rehearsal: Rehearsal) -> dict[str, object]:
    """Return where the answers go, and the recording to look for moments in."""
    return {
        "ask_url": reverse("practice:self_assess", args=[rehearsal.pk]),
        "media_url": reverse("rehearsals:media", args=[rehearsal.pk]),
    }


def on_report(reading: ReportReading) -> Iterable[PagePart]:
    """Yield the self-assessment and its agreements, for the owner and a permitted coach."""
    take = reading.rehearsal
    found = own_assessment(take) if reading.is_owner else assessment_for_coach(take)
    if found is None or found.state != SelfAssessment.State.ANSWERED:
        return
    share = reverse("practice:share_self", args=[take.pk]) if reading.is_owner else ""
    compares = reading.is_owner and reading.feedback is not None
    items = reading.items if compares else None
    notes = notes_for_reading(reading.feedback)
    said = self_assessment_summary(found, items, notes, share_url=share)
    yield PagePart(place="before_cards", template="practice/_said.html", context={"said": said})
    if reading.is_owner:
        yield from _on_cards(found, reading)


def _on_cards(found: SelfAssessment, reading: ReportReading) -> Iterable[PagePart]:
    """Yield a note under each card that agrees with one of the owner's moments."""
    met = {
        meeting.item
        for moment in found.moments.all()
        for meeting in matches_of(moment, reading.items)
        if meeting.how != "other"
    }
    for key in sorted(met):
        yield PagePart(place="card", card=key, template="practice/_card_met.html")
