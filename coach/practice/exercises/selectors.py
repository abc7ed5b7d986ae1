"""Reading which exercises a person did."""

from __future__ import annotations

from django.db.models import QuerySet

from coach.accounts.models import User
from coach.practice.models import ExerciseDone


def exercises_done_for(user: User) -> QuerySet[ExerciseDone]:
    """What the person did, the newest first."""
    return ExerciseDone.objects.filter(user=user)
