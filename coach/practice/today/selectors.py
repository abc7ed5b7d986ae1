"""Query of one's own reminder."""

from __future__ import annotations

from django.db.models import QuerySet

from coach.accounts.models import User
from coach.practice.models import PracticeReminder


def reminders_for(user: User) -> QuerySet[PracticeReminder]:
    """Return the person's reminder, as the only row."""
    return PracticeReminder.objects.filter(person=user)
