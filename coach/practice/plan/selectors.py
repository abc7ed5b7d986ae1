"""Queries about plans: one's own, and for coaches those of people who sent them a take."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Max, QuerySet

from coach.accounts.models import User
from coach.practice.models import FocusArea
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import shared_rehearsals_for


def focus_areas_for(user: User) -> QuerySet[FocusArea]:
    """Return the person's current focuses."""
    return FocusArea.objects.filter(person=user, ended_at=None)


def planned_takes_for(coach: User) -> QuerySet[Rehearsal]:
    """Return the takes whose owner's plan a coach may see and change: those sent to them."""
    return shared_rehearsals_for(coach).exclude(owner=coach).select_related("owner")


def last_practice_of(user: User) -> datetime | None:
    """Return when the person last recorded a take or did an exercise; None if never."""
    takes_and_again = Rehearsal.any_kind.filter(owner=user).exclude(kind="before")
    recorded = takes_and_again.aggregate(at=Max("created_at"))["at"]
    done = user.exercises_done.aggregate(at=Max("at"))["at"]
    return max((at for at in (recorded, done) if at is not None), default=None)
