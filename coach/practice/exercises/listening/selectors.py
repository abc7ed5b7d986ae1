"""Queries about recorded exercises, for their owner only."""

from __future__ import annotations

from django.db.models import QuerySet

from coach.accounts.models import User
from coach.practice.models import ExerciseDone


def recorded_exercises_for(user: User) -> QuerySet[ExerciseDone]:
    """Return the exercises that the person recorded and whose recording is stored, newest first."""
    return with_facts_for(user).filter(recording__isnull=False)


def with_facts_for(user: User) -> QuerySet[ExerciseDone]:
    """Return the exercises that the person recorded, newest first; some recordings are deleted."""
    own = ExerciseDone.objects.filter(user=user).exclude(recording=None, facts=[])
    return own.select_related("recording__owner", "recording__cohort", "item__feedback__rehearsal")
