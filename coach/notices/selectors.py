"""Queries about one's own notifications, on takes that one may open now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from coach.accounts.models import User
from coach.notices.models import Bounce, Kind, Mute, Notice
from coach.rehearsals.selectors import rehearsals_for

_OF_TRAINEES = (
    Kind.RELEASED,
    Kind.CORRECTED,
    Kind.QUESTION,
    Kind.ANSWER,
    Kind.GUEST,
    Kind.TASK,
    Kind.PRACTICE,
    Kind.ACCESS,
    Kind.DUE,
)
_OF_COACHES = (
    Kind.WAITING,
    Kind.HANDED,
    Kind.SECOND,
    Kind.DISCUSSED,
    Kind.LATE,
    Kind.QUESTION,
    Kind.ANSWER,
)
FOLDED = (Kind.WAITING, Kind.SECOND)
"""Kinds with a list of their own: shown as one, so that a question is not overlooked."""


def kinds_for(user: User) -> tuple[Kind, ...]:
    """Return the kinds of notification that this person can receive, by their roles."""
    kinds = (
        *(_OF_TRAINEES if user.can_practise else ()),
        *(_OF_COACHES if user.can_review else ()),
        *((Kind.DEPARTMENT,) if user.administers_departments else ()),
    )
    return tuple(kind for kind in Kind if kind in kinds)


def notices_for(user: User, now: datetime | None = None) -> QuerySet[Notice]:
    """Return the person's notifications, newest first, without takes withdrawn since."""
    # A correlated subquery, so that a page does not require a scan of all takes.
    is_open = Exists(rehearsals_for(user).filter(pk=OuterRef("rehearsal")))
    return Notice.objects.filter(
        Q(rehearsal=None) | is_open,
        person=user,
        not_before__lte=now or timezone.now(),
    ).select_related("rehearsal__owner", "rehearsal__review__handed_by")


def new_for(user: User, now: datetime | None = None) -> QuerySet[Notice]:
    """Return the person's new notifications."""
    return notices_for(user, now).filter(seen_at=None, settled_at=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeGroup:
    """Several new notifications shown as one."""

    kind: Kind
    count: int
    latest: datetime


def folds_for(user: User) -> tuple[NoticeGroup, ...]:
    """Return the groups of new notifications shown as one; a single one is shown by itself."""
    found = [each for each in _by_kind(user) if each.kind in FOLDED and each.count > 1]
    return tuple(sorted(found, key=lambda each: FOLDED.index(each.kind)))


def _by_kind(user: User) -> list[NoticeGroup]:
    rows = new_for(user).order_by().values_list("kind").annotate(Count("pk"), Max("not_before"))
    return [
        NoticeGroup(kind=Kind(kind), count=count, latest=latest) for kind, count, latest in rows
    ]


def unread_count(user: User) -> int:
    """Return the number on the badge."""
    return sum(1 if each.kind in FOLDED else each.count for each in _by_kind(user))


def to_mail(now: datetime) -> QuerySet[Notice]:
    """Return the notifications to email now."""
    return _mailable().filter(not_before__lte=now).exclude(try_at__gt=now)


def _mailable() -> QuerySet[Notice]:
    """Return new, unsent and unmuted notifications of people who can sign in."""
    muted = Mute.objects.filter(person=OuterRef("person"), kind=OuterRef("kind"))
    return Notice.objects.filter(
        ~Exists(muted),
        ~Exists(standing_bounces().filter(person=OuterRef("person"))),
        seen_at=None,
        settled_at=None,
        mailed_at=None,
        refused_at=None,
        person__is_active=True,
    )


def standing_bounces() -> QuerySet[Bounce]:
    """Return the bounces of addresses that people still have."""
    return Bounce.objects.filter(address=F("person__email"))


def is_unreachable(person: User) -> bool:
    """Return whether emails to the person's address come back."""
    return standing_bounces().filter(person=person).exists()


def waiting_for_relay() -> int:
    """Return the number of notifications that the relay did not accept at the last attempt."""
    return _mailable().filter(tries__gt=0).count()
