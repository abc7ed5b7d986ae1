"""Additions of the plan to other pages: the next step at home, a link for coaches."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.feedback.pages.extensions import PagePart, ReportReading, page_link
from coach.practice.plan.page import next_words
from coach.practice.plan.selectors import planned_takes_for


def at_home(user: User) -> Iterable[PagePart]:
    """Yield the next practice if there is a plan."""
    following = next_words(user)
    if following is not None:
        yield PagePart(
            place="top",
            template="practice/_home_next.html",
            context={"next": following},
            leads=following.is_due,
        )


def link_for_coach(reading: ReportReading) -> Iterable[PagePart]:
    """Return a link to the owner's plan, for a coach who was sent the report; None for others."""
    take, reader = reading.rehearsal, reading.reader
    if not reader.can_review or reading.is_owner:
        return
    if planned_takes_for(reader).filter(pk=take.pk).exists():
        yield page_link(_("Their plan"), reverse("practice:plan_of", args=[take.pk]))
