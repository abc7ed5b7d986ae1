"""Additions of self-assessment to a report, and when it is asked for first."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse

from coach.accounts.models import User
from coach.feedback.notes import notes_for_reading
from coach.feedback.pages.extensions import PagePart, ReportReading
from coach.practice.models import SelfAssessment
from coach.practice.self_assessment.agreement import meetings
from coach.practice.self_assessment.page import said_of_self
from coach.practice.self_assessment.selectors import (
    assessment_for_coach,
    is_to_be_asked,
    own_assessment,
)
from coach.rehearsals.models import Rehearsal


def before_report(rehearsal: Rehearsal, _reader: User) -> str:
    """Return the URL of the questions if they are still to be asked; empty otherwise."""
    if not is_to_be_asked(rehearsal):
        return ""
    return reverse("practice:self_assess", args=[rehearsal.pk])


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
    said = said_of_self(found, items, notes, share_url=share)
    yield PagePart(place="before_cards", template="practice/_said.html", context={"said": said})
    if reading.is_owner:
        yield from _on_cards(found, reading)


def _on_cards(found: SelfAssessment, reading: ReportReading) -> Iterable[PagePart]:
    """Yield a note under each card that agrees with one of the owner's moments."""
    met = {
        meeting.item
        for moment in found.moments.all()
        for meeting in meetings(moment, reading.items)
        if meeting.how != "other"
    }
    for key in sorted(met):
        yield PagePart(place="card", card=key, template="practice/_card_met.html")
