"""Addition of the plan to reports: a link for coaches."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.feedback.pages.extensions import PagePart, ReportReading, page_link
from coach.practice.plan.selectors import planned_takes_for


def link_for_coach(reading: ReportReading) -> Iterable[PagePart]:
    """Return a link to the owner's plan, for a coach who was sent the report; None for others."""
    take, reader = reading.rehearsal, reading.reader
    if not reader.can_review or reading.is_owner:
        return
    if planned_takes_for(reader).filter(pk=take.pk).exists():
        yield page_link(_("Their plan"), reverse("practice:plan_of", args=[take.pk]))
