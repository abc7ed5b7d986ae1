"""One reminder before an assignment is due, for each person who has not handed in."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from coach.assignments.models import Assignment, AssignmentWork
from coach.assignments.selectors import people_in, progress_in
from coach.notices.models import Kind
from coach.notices.services import News, notify_once

BEFORE = timedelta(hours=24)
"""How long before the due date people are reminded (rule of thumb)."""


def remind_all(now: datetime | None = None) -> None:
    """Notify everybody whose due date is near, each once for an assignment."""
    now = now or timezone.now()
    for assignment in _near(now):
        notify_once(Kind.DUE, _news(assignment, now))


def _near(now: datetime) -> Iterator[Assignment]:
    near = Q(due_at__gt=now, due_at__lte=now + BEFORE)
    extended = AssignmentWork.objects.filter(near, assignment=OuterRef("pk"))
    standing = Assignment.objects.filter(
        near | Exists(extended),
        published_at__isnull=False,
        archived_at=None,
        cohort__archived_at=None,
    )
    yield from standing.select_related("cohort")


def _news(assignment: Assignment, now: datetime) -> Iterator[News]:
    people = people_in(assignment).filter(is_member=True, is_active=True)
    for progress in progress_in(assignment, (each for each in people if each.can_practise)):
        if not progress.is_handed_in and now < progress.due <= now + BEFORE:
            yield News(person=progress.person, rehearsal=None, about=assignment)
