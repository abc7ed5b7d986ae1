"""Working times per item, reported by open review pages and capped at elapsed time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet, Sum
from django.utils import timezone

from coach.accounts.models import Cohort, User
from coach.feedback.models import Feedback, Item
from coach.review.models import ItemTime, Review
from coach.review.team.counts import Percentile

MOST_AT_ONCE = timedelta(minutes=10)
"""The maximum time of one report (rule of thumb): a page reports every 30 seconds, and a longer gap
means that the laptop slept."""
GOAL_TIMES = 1.2
"""The goal for the median time from claim to release, in lengths of a talk of five minutes (rule of
thumb)."""
LEAST_TIMED = 20
"""The minimum number of items or reviews for a median; with fewer, each one would move it (rule of
thumb)."""
LEAST_COACHES = 3
"""The minimum number of coaches for a lead's view of item times: with two, one of whom is often the
lead, a total would show the other's own (rule of thumb)."""
REMEMBERED = 20
"""The number of report ids to remember, more than a page keeps for sending again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeReport:
    """A report of a review page: seconds by item, with a unique id."""

    name: str
    seconds: Mapping[UUID, float]
    desk: float = 0.0
    """The seconds at the whole page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """The time per item in seconds; None if there are too few to show."""

    count: int
    median: float | None
    p90: float | None
    is_withheld: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Handled:
    """The time from claim to release, relative to the talk's length; None without data."""

    count: int
    median: float | None


@transaction.atomic
def count_item_times(*, rehearsal_id: UUID, coach: User, reports: Iterable[TimeReport]) -> float:
    """Add reported times to the items. Return the number of seconds counted.

    The server's clock limits what a browser reports: all items together get at most the time
    since the claim began and since the last report. Two pages of one coach
    share that. Only items of the coach's claimed draft count. A report whose response was
    lost is sent again under the same id, and counts once.
    """
    review = (
        Review.objects.select_for_update(of=("self",))
        .filter(rehearsal=rehearsal_id, coach=coach, finished_at=None, claimed_at__isnull=False)
        .select_related("grant")
        .first()
    )
    if review is None or review.claimed_at is None:
        return 0.0
    now = timezone.now()
    since = max(review.claimed_at, review.timed_until or review.claimed_at)
    passed = min(now - since, MOST_AT_ONCE).total_seconds()
    fresh = {each.name: each for each in reports if each.name not in review.timed_reports}
    shares = _of_this_draft(rehearsal_id, fresh.values())
    all_told, desk = sum(shares.values()), _at_desk(review, fresh.values())
    if all_told + desk <= 0 or passed <= 0:
        return 0.0
    believed = min(1.0, passed / all_told) if all_told else 1.0
    for item, seconds in shares.items():
        _add(item, coach, seconds * believed)
    known = [*review.timed_reports, *fresh][-REMEMBERED:]
    Review.objects.filter(pk=review.pk).update(
        timed_until=now, timed_reports=known, desk_seconds=F("desk_seconds") + min(desk, passed)
    )
    return all_told * believed


def _at_desk(review: Review, reports: Iterable[TimeReport]) -> float:
    """Return the reported seconds at the page of a timed take, 0 after its answer."""
    is_timed = bool(review.cards) and review.grant.answered_at is None
    return sum(report.desk for report in reports) if is_timed else 0.0


def _of_this_draft(rehearsal_id: UUID, reports: Iterable[TimeReport]) -> dict[UUID, float]:
    told: dict[UUID, float] = {}
    for report in reports:
        for item, seconds in report.seconds.items():
            told[item] = told.get(item, 0.0) + seconds
    found = Item.objects.filter(
        pk__in=list(told),
        feedback__rehearsal=rehearsal_id,
        feedback__state=Feedback.State.DRAFT,
    )
    return {item: told[item] for item in found.values_list("pk", flat=True)}


def _add(item: UUID, coach: User, seconds: float) -> None:
    # The review's row is locked, so no concurrent request adds to this one.
    row, _is_new = ItemTime.objects.get_or_create(item_id=item, coach=coach)
    ItemTime.objects.filter(pk=row.pk).update(
        seconds=F("seconds") + seconds, updated_at=timezone.now()
    )


def item_times_in(groups: QuerySet[Cohort], since: datetime) -> Timed:
    """Return times per item in the groups' answers since then, over all coaches.

    Withheld if there are so few coaches or items that they could be one person's.
    """
    rows = _answered(Q(item__feedback__rehearsal__review__grant__cohort__in=groups), since)
    if rows.values("coach").distinct().count() < LEAST_COACHES:
        return _WITHHELD
    timed = _timed(rows)
    return timed if timed.count >= LEAST_TIMED else _WITHHELD


def item_times_of(coach: User, since: datetime) -> Timed:
    """Return a coach's own times per item, of answers since then."""
    return _timed(_answered(Q(coach=coach), since))


_WITHHELD = Timed(count=0, median=None, p90=None, is_withheld=True)


def _answered(whose: Q, since: datetime) -> QuerySet[ItemTime]:
    answered = Q(item__feedback__rehearsal__review__finished_at__gte=since)
    return ItemTime.objects.filter(whose, answered)


def _timed(rows: QuerySet[ItemTime]) -> Timed:
    items = rows.values("item").annotate(all=Sum("seconds"))
    found = items.aggregate(median=Percentile("all", 0.5), p90=Percentile("all", 0.9))
    return Timed(count=items.count(), median=found["median"], p90=found["p90"])


def handled_in(groups: QuerySet[Cohort], since: datetime) -> Handled:
    """Return the handling times of the groups' answers since then."""
    return _handled(Q(grant__cohort__in=groups), since)


def handled_by(coach: User, since: datetime) -> Handled:
    """Return a coach's own handling times."""
    return _handled(Q(handled_by=coach), since)


def _handled(whose: Q, since: datetime) -> Handled:
    rows = Review.objects.filter(
        whose,
        finished_at__gte=since,
        handled_seconds__isnull=False,
        rehearsal__duration__gt=0,
    ).annotate(times=F("handled_seconds") / F("rehearsal__duration"))
    return Handled(count=rows.count(), median=rows.aggregate(half=Percentile("times", 0.5))["half"])
