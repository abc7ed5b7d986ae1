"""How long coaches work: what an open desk tells of each item, never more than has passed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet, Sum
from django.utils import timezone

from coach.accounts.models import Cohort, User
from coach.feedback.models import Feedback, Item
from coach.review.models import ItemTime, Review
from coach.review.team import Percentile

MOST_AT_ONCE = timedelta(minutes=10)
"""A desk tells every 30 seconds; what it tells after a longer gap counts up to here (rule of
thumb): a laptop that slept was not worked at."""
GOAL_TIMES = 1.2
"""From claim to release, in lengths of a talk of five minutes: half of the reviews are to take no
longer (rule of thumb)."""
LEAST_TIMED = 20
"""Under so many items or reviews a median moves with every single one (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """How long items take, in seconds; None where none was timed."""

    count: int
    median: float | None
    p90: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Handled:
    """How long reviews take from claim to release, in lengths of the talk; None where none was."""

    count: int
    median: float | None


@transaction.atomic
def count_item_times(*, rehearsal_id: UUID, coach: User, told: Mapping[UUID, float]) -> float:
    """Add what a desk tells of its items; returns how many seconds were counted.

    A browser is believed only as far as the clock of the site goes: all items together get no more
    than has passed since the claim began and since the last time it told. Two desks of one coach
    share that. Only of items of the draft that this coach has in hand.
    """
    review = (
        Review.objects.select_for_update(of=("self",))
        .filter(rehearsal=rehearsal_id, coach=coach, finished_at=None, claimed_at__isnull=False)
        .first()
    )
    if review is None or review.claimed_at is None:
        return 0.0
    now = timezone.now()
    since = max(review.claimed_at, review.timed_until or review.claimed_at)
    passed = min(now - since, MOST_AT_ONCE).total_seconds()
    found = Item.objects.filter(
        pk__in=list(told),
        feedback__rehearsal=rehearsal_id,
        feedback__state=Feedback.State.DRAFT,
    )
    shares = {item: told[item] for item in found.values_list("pk", flat=True)}
    all_told = sum(shares.values())
    if all_told <= 0 or passed <= 0:
        return 0.0
    believed = min(1.0, passed / all_told)
    for item, seconds in shares.items():
        _add(item, coach, seconds * believed)
    Review.objects.filter(pk=review.pk).update(timed_until=now)
    return all_told * believed


def _add(item: UUID, coach: User, seconds: float) -> None:
    # The row of the review is locked, so nobody else adds to this one meanwhile.
    row, _is_new = ItemTime.objects.get_or_create(item_id=item, coach=coach)
    ItemTime.objects.filter(pk=row.pk).update(
        seconds=F("seconds") + seconds, updated_at=timezone.now()
    )


def item_times_in(groups: QuerySet[Cohort], since: datetime) -> Timed:
    """Of the items of what these groups were answered since then, whoever worked on them."""
    return _timed(Q(item__feedback__rehearsal__review__grant__cohort__in=groups), since)


def item_times_of(coach: User, since: datetime) -> Timed:
    """A coach's own, of what was answered since then."""
    return _timed(Q(coach=coach), since)


def _timed(whose: Q, since: datetime) -> Timed:
    answered = Q(item__feedback__rehearsal__review__finished_at__gte=since)
    items = ItemTime.objects.filter(whose, answered).values("item").annotate(all=Sum("seconds"))
    found = items.aggregate(median=Percentile("all", 0.5), p90=Percentile("all", 0.9))
    return Timed(count=items.count(), median=found["median"], p90=found["p90"])


def handled_in(groups: QuerySet[Cohort], since: datetime) -> Handled:
    """Of what these groups were answered since then."""
    return _handled(Q(grant__cohort__in=groups), since)


def handled_by(coach: User, since: datetime) -> Handled:
    """A coach's own."""
    return _handled(Q(handled_by=coach), since)


def _handled(whose: Q, since: datetime) -> Handled:
    rows = Review.objects.filter(
        whose,
        finished_at__gte=since,
        handled_seconds__isnull=False,
        rehearsal__duration__gt=0,
    ).annotate(times=F("handled_seconds") / F("rehearsal__duration"))
    return Handled(count=rows.count(), median=rows.aggregate(half=Percentile("times", 0.5))["half"])
