"""Notifications of takes that wait longer than the promised reply time, once for each take."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from coach.accounts.models import User
from coach.notices.models import Kind, Notice
from coach.notices.services import News, notify_once
from coach.review.models import Review
from coach.review.priority import with_priority
from coach.review.selectors import assignable_for

TOLD_AT_ONCE = 50


def tell_of_late() -> int:
    """Notify coaches of late takes. Return the number of takes.

    The coach who has a take is notified, or all coaches of its group if nobody has it. Coaches who
    are away are not: if everybody is, the take is looked at again later.
    """
    now = timezone.now()
    told = Notice.objects.filter(
        kind=Kind.LATE,
        rehearsal=OuterRef("rehearsal"),
        created_at__gte=OuterRef("grant__created_at"),
    )
    waiting = Review.objects.filter(
        ~Exists(told),
        finished_at=None,
        grant__answered_at=None,
        grant__revoked_at=None,
        grant__cohort__late_notices=True,
    )
    late = (
        with_priority(waiting, now)
        .filter(due_at__lt=now, is_paused=False)
        .select_related("rehearsal", "grant__cohort", "coach", "meant_for")
        .order_by(F("due_at"), "pk")[:TOLD_AT_ONCE]
    )
    news = {review.pk: _news_of(review, now) for review in late}
    notify_once(Kind.LATE, [each for found in news.values() for each in found])
    return sum(bool(found) for found in news.values())


def _news_of(review: Review, now: datetime) -> list[News]:
    present = list(assignable_for(review))
    holder = _holder(review, now)
    people = [each for each in present if each == holder] or present
    return [
        News(person=person, rehearsal=review.rehearsal, about=review.grant) for person in people
    ]


def _holder(review: Review, now: datetime) -> User | None:
    """Return the coach with the claim or the reservation of a take, or None."""
    if review.is_held(now):
        return review.coach
    is_reserved = review.meant_until is not None and review.meant_until > now
    return review.meant_for if is_reserved else None
