"""Figures about a group's queue for its lead, over 90 days, counted in the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Aggregate, Count, DurationField, F, FloatField, Q, QuerySet
from django.db.models.expressions import ExpressionWrapper
from django.db.models.functions import Extract
from django.utils import timezone

from coach.accounts.models import Cohort, Membership, Role
from coach.feedback.models import Feedback, Item, Verdict
from coach.lib.words.shares import Share
from coach.rehearsals.models import AccessGrant
from coach.review.models import Review
from coach.review.priority import WeighedReview, with_priority

LOOKED_BACK = timedelta(days=90)
SOON = timedelta(hours=24)
LEAST_VERDICTS = 30
"""The minimum number of verdicts for a rule's precision (rule of thumb)."""
MOST_VERDICTS = 5_000
"""The maximum number of verdicts, above a group's decisions in 90 days; the newest count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """The numbers of waiting takes."""

    count: int
    late: int
    soon: int
    """Takes due within a day."""
    flagged: int
    """Flagged takes."""
    since: datetime | None
    """The time of sending of the longest waiting take, or None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turnaround:
    """The hours from sending to release; None if no take was answered."""

    count: int
    median: float | None
    p90: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """A coach's claimed and answered takes."""

    name: str
    held: int
    answered: int
    minutes: float | None
    """The median time from claim to release in minutes; None without measurements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """Coaches' decisions on rules' cards."""

    kept: int
    edited: int
    rejected: Counter[str]
    """Rejected cards by reason."""
    by_rule: tuple[tuple[str, Share, int], ...]
    """Rules with the share of kept cards and the number of reworded ones, lowest share first."""

    @property
    def count(self) -> int:
        """The number of all decisions."""
        return self.kept + self.edited + self.rejected.total()


class Percentile(Aggregate):
    """The percentile of an expression, interpolated between neighbours."""

    function = "PERCENTILE_CONT"
    template = "%(function)s(%(share)s) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()

    def __init__(self, expression: Any, share: float, **extra: Any) -> None:
        super().__init__(expression, share=share, **extra)


def waiting_in(groups: QuerySet[Cohort], now: datetime) -> Waiting:
    """Return the numbers of waiting takes in these groups."""
    rows = _unanswered(groups, now)
    found = rows.aggregate(
        count=Count("pk"),
        late=Count("pk", filter=Q(due_at__lt=now)),
        soon=Count("pk", filter=Q(due_at__gte=now, due_at__lt=now + SOON)),
        flagged=Count("pk", filter=~Q(flag="")),
    )
    oldest = rows.order_by("grant__created_at").values_list("grant__created_at", flat=True).first()
    return Waiting(**found, since=oldest)


def breaches_coming_in(
    groups: QuerySet[Cohort], now: datetime, most: int = 10
) -> list[WeighedReview]:
    """Return takes that are late or due within a day, earliest first."""
    near = _unanswered(groups, now).filter(due_at__lt=now + SOON).order_by("due_at", "pk")
    return list(near.select_related("rehearsal__owner", "coach", "grant")[:most])


def _unanswered(groups: QuerySet[Cohort], now: datetime) -> QuerySet[WeighedReview]:
    reviews = Review.objects.filter(
        finished_at=None,
        grant__cohort__in=groups,
        grant__revoked_at=None,
        grant__answered_at=None,
    )
    return with_priority(reviews, now)


def turnaround_in(groups: QuerySet[Cohort], since: datetime) -> Turnaround:
    """Return the statistics of reply times."""
    hours = Extract(
        ExpressionWrapper(F("answered_at") - F("created_at"), output_field=DurationField()),
        "epoch",
        output_field=FloatField(),
    )
    found = (
        AccessGrant.objects.filter(cohort__in=groups, revoked_at=None, answered_at__gte=since)
        .annotate(seconds=hours)
        .aggregate(
            count=Count("pk"),
            median=Percentile("seconds", 0.5),
            p90=Percentile("seconds", 0.9),
        )
    )
    return Turnaround(
        count=found["count"], median=_hours(found["median"]), p90=_hours(found["p90"])
    )


def _hours(seconds: float | None) -> float | None:
    return None if seconds is None else seconds / 3600


def loads_in(groups: QuerySet[Cohort], since: datetime) -> list[Load]:
    """Return the workload of each coach of these groups, largest first."""
    people = Membership.objects.filter(cohort__in=groups, role=Role.COACH, user__is_active=True)
    names = dict(people.values_list("user", "user__name"))
    held = dict(
        Review.objects.filter(
            grant__cohort__in=groups, coach__in=names, until__gt=timezone.now(), finished_at=None
        )
        .values_list("coach")
        .annotate(Count("pk"))
    )
    answered = dict(
        Feedback.objects.filter(
            released_by__in=names, released_at__gte=since, rehearsal__grants__cohort__in=groups
        )
        .values_list("released_by")
        .annotate(Count("rehearsal", distinct=True))
    )
    minutes = dict(
        Review.objects.filter(
            handled_by__in=names, grant__cohort__in=groups, finished_at__gte=since
        )
        .values_list("handled_by")
        .annotate(half=Percentile("handled_seconds", 0.5))
    )
    rows = [
        Load(
            name=name,
            held=held.get(key, 0),
            answered=answered.get(key, 0),
            minutes=None if minutes.get(key) is None else minutes[key] / 60,
        )
        for key, name in names.items()
    ]
    return sorted(rows, key=lambda row: (-row.held, -row.answered, row.name))


def decisions_in(groups: QuerySet[Cohort], since: datetime) -> Decisions:
    """Return counts of the verdicts in force on rules' items."""
    standing = (
        Verdict.objects.filter(
            undone_at=None,
            at__gte=since,
            item__origin=Item.Origin.RULE,
            item__feedback__rehearsal__review__grant__cohort__in=groups,
        )
        .exclude(kind=Verdict.Kind.HOLD)  # no verdict on the rule: there was no room
        .order_by("item_id", "-at", "-pk")
        .distinct("item_id")
        .values_list("kind", "reason", "item__rule")
    )
    return _decisions(list(standing[:MOST_VERDICTS]))


def _decisions(rows: Sequence[tuple[str, str, str]]) -> Decisions:
    kinds = Counter(kind for kind, _reason, _rule in rows)
    of: Counter[str] = Counter(rule for _kind, _reason, rule in rows)
    kept: Counter[str] = Counter(rule for kind, _reason, rule in rows if kind not in _REJECTS)
    reworded = Counter(rule for kind, _reason, rule in rows if kind == Verdict.Kind.EDIT)
    shares = [
        (rule, Share(hits=kept[rule], of=count), reworded[rule]) for rule, count in of.items()
    ]
    return Decisions(
        kept=kinds[Verdict.Kind.ACCEPT],
        edited=kinds[Verdict.Kind.EDIT],
        rejected=Counter(reason for kind, reason, _rule in rows if kind in _REJECTS),
        by_rule=tuple(sorted(shares, key=lambda row: (row[1].value, -row[1].of, row[0]))),
    )


_REJECTS = {Verdict.Kind.REJECT, Verdict.Kind.REPLACE}
