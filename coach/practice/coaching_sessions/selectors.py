"""Queries about live sessions: those that somebody had as the trainee or as the coach."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from coach.accounts.models import User
from coach.practice.models import CoachingSession


def coaching_sessions_for(user: User) -> QuerySet[CoachingSession]:
    """Return the sessions whose notes the user may read, newest first."""
    return CoachingSession.objects.filter(Q(person=user) | Q(coach=user))


def own_notes_for(coach: User) -> QuerySet[CoachingSession]:
    """Return the sessions whose notes this coach wrote and may change."""
    return CoachingSession.objects.filter(coach=coach)
