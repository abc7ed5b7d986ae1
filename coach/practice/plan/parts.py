"""Additions of the plan to other pages: the next step at home, a link for coaches."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.feedback.pages.extensions import Part
from coach.feedback.pages.values import BesideLink
from coach.practice.plan.page import next_words
from coach.practice.plan.selectors import planned_takes_for
from coach.rehearsals.models import Rehearsal


def at_home(user: User) -> Iterable[Part]:
    """Yield the next practice if there is a plan."""
    following = next_words(user)
    if following is not None:
        yield Part(
            place="top",
            template="practice/_home_next.html",
            context={"next": following},
            leads=following.is_due,
        )


def link_for_coach(rehearsal: Rehearsal, reader: User) -> BesideLink | None:
    """Return a link to the owner's plan, for a coach who was sent the report; None for others."""
    if not reader.can_review or reader.pk == rehearsal.owner_id:
        return None
    if not planned_takes_for(reader).filter(pk=rehearsal.pk).exists():
        return None
    url = reverse("practice:plan_of", args=[rehearsal.pk])
    return BesideLink(label=_("Their plan"), url=url)
