"""Queries about tasks that coaches set."""

from __future__ import annotations

from django.db.models import QuerySet

from coach.accounts.models import User
from coach.practice.models import CoachTask


def coach_tasks_for(user: User) -> QuerySet[CoachTask]:
    """Return the tasks that were set for this person, those due first at the top."""
    return CoachTask.objects.filter(person=user)


def set_tasks_for(coach: User) -> QuerySet[CoachTask]:
    """Return the tasks that this coach set and may delete."""
    return CoachTask.objects.filter(set_by=coach)
