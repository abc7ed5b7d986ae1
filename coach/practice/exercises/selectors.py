"""Queries about completed exercises."""

from __future__ import annotations

from django.db.models import QuerySet

from coach.accounts.models import User
from coach.practice.models import ExerciseDone


def exercises_done_for(user: User) -> QuerySet[ExerciseDone]:
    """Return the exercises that the person has done, newest first."""
    return ExerciseDone.objects.filter(user=user)
