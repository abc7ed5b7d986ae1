"""Queries about completed exercises, and the card that led to one."""

from __future__ import annotations

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from coach.accounts.models import User
from coach.feedback.models import Item
from coach.feedback.selectors import items_for_owner
from coach.lib.web.http import uuid_of
from coach.practice.models import ExerciseDone


def exercises_done_for(user: User) -> QuerySet[ExerciseDone]:
    """Return the exercises that the person has done, newest first."""
    return ExerciseDone.objects.filter(user=user)


def own_card(user: User, key: str) -> Item | None:
    """Return the person's own card named in the URL; None if none is named. Raises 404 for
    others' cards.
    """
    named = uuid_of(key)
    if named is None:
        return None
    own = items_for_owner(user).select_related("feedback__rehearsal")
    return get_object_or_404(own, pk=named)
