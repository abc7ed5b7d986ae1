"""Figures about a group's queue for its lead, over 90 days, counted in the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import (
    Aggregate,
    Count,
    DateField,
    DurationField,
    F,
    FloatField,
    Max,
    Q,
    QuerySet,
)
from django.db.models.expressions import ExpressionWrapper
from django.db.models.functions import Extract, TruncWeek
from django.utils import timezone

from coach.accounts.away import away_now
from coach.accounts.models import Cohort, Membership, Role, User
from coach.feedback.models import Feedback, Item, Verdict
from coach.lib.words.shares import Share
from coach.rehearsals.models import AccessGrant
from coach.review.away.words import away_words
from coach.review.models import Review
from coach.review.priority import WeighedReview, with_priority

LOOKED_BACK = timedelta(days=90)
SOON = timedelta(hours=24)
LEAST_VERDICTS = 30
"""The minimum number of verdicts for a rule's precision (rule of thumb)."""
MOST_LISTED = 20
"""The number of waiting takes on the page (rule of thumb)."""
WEEKS = 8
"""The number of weeks of the trend (rule of thumb)."""
QUIET = timedelta(days=14)
"""The time after an answer from which a missing second take is listed (rule of thumb)."""
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
    away: str
    """The days away in words; empty without any to come."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """The takes that were sent and answered in one week, which begins on a Monday."""

    begins: date
    sent: int
    answered: int
    median: float | None
    """The median hours to the answer; None if no take was answered."""


class Percentile(Aggregate):
    """The percentile of an expression, interpolated between neighbours."""

    function = "PERCENTILE_CONT"
    template = "%(function)s(%(share)s) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()

    def __init__(self, expression: Any, share: float, **extra: Any) -> None:
        super().__init__(expression, share=share, **extra)


_SECONDS = Extract(
    ExpressionWrapper(F("answered_at") - F("created_at"), output_field=DurationField()),
    "epoch",
    output_field=FloatField(),
)
"""The seconds from sending to answer."""


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


def longest_waiting_in(
    groups: QuerySet[Cohort], now: datetime, most: int = MOST_LISTED
) -> list[WeighedReview]:
    """Return the waiting takes, those due first at the top; without a due date last."""
    waiting = _unanswered(groups, now).order_by(F("due_at").asc(nulls_last=True), "pk")
    also = ("rehearsal__owner", "coach", "meant_for", "grant__cohort")
    return list(waiting.select_related(*also)[:most])


def stranded_in(groups: QuerySet[Cohort], now: datetime) -> list[WeighedReview]:
    """Return the waiting takes that a coach who is away began or was given, those due first."""
    given = away_now("meant_for__") & Q(meant_until__gt=now)
    waiting = _unanswered(groups, now).filter(away_now("coach__") | given)
    also = ("rehearsal__owner", "coach", "meant_for", "grant__cohort")
    ordered = waiting.order_by(F("due_at").asc(nulls_last=True), "pk")
    return list(ordered.select_related(*also)[:MOST_LISTED])


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
    found = (
        AccessGrant.objects.filter(cohort__in=groups, revoked_at=None, answered_at__gte=since)
        .annotate(seconds=_SECONDS)
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


def weeks_in(groups: QuerySet[Cohort], now: datetime) -> list[Week]:
    """Return the last weeks, the newest first."""
    monday = timezone.localdate(now) - timedelta(days=timezone.localdate(now).weekday())
    days = [monday - timedelta(weeks=back) for back in range(WEEKS)]
    grants = AccessGrant.objects.filter(cohort__in=groups, revoked_at=None)
    sent = _by_week(grants, "created_at", days[-1], of=Count("pk"))
    timed = grants.annotate(seconds=_SECONDS)
    answered = _by_week(timed, "answered_at", days[-1], of=Count("pk"))
    medians = _by_week(timed, "answered_at", days[-1], of=Percentile("seconds", 0.5))
    return [
        Week(
            begins=day,
            sent=int(sent.get(day, 0)),
            answered=int(answered.get(day, 0)),
            median=_hours(medians.get(day)),
        )
        for day in days
    ]


def _by_week(
    grants: QuerySet[AccessGrant], field: str, since: date, *, of: Aggregate
) -> dict[date, float]:
    rows = grants.filter(**{f"{field}__date__gte": since}).annotate(
        week=TruncWeek(field, output_field=DateField())
    )
    return dict(rows.order_by().values_list("week").annotate(figure=of))


def without_second_take_in(groups: QuerySet[Cohort], now: datetime) -> list[str]:
    """Return the names of trainees whose only take sent to a group was answered two weeks ago.

    Takes that were kept private do not count: coaches do not know of them.
    """
    grants = AccessGrant.objects.filter(cohort__in=groups, revoked_at=None)
    people = (
        grants.filter(rehearsal__owner__is_active=True)
        .values("rehearsal__owner")
        .annotate(takes=Count("rehearsal", distinct=True), last=Max("answered_at"))
        .filter(takes=1, last__lt=now - QUIET)
        .order_by("rehearsal__owner__name")
    )
    return list(people.values_list("rehearsal__owner__name", flat=True)[:MOST_LISTED])


def loads_in(groups: QuerySet[Cohort], since: datetime) -> list[Load]:
    """Return the workload of each coach of these groups, largest first."""
    members = Membership.objects.filter(cohort__in=groups, role=Role.COACH, user__is_active=True)
    people = User.objects.filter(pk__in=members.values("user"))
    names = {each.pk: each for each in people}
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
            name=coach.name,
            away=away_words(coach),
            held=held.get(key, 0),
            answered=answered.get(key, 0),
            minutes=None if minutes.get(key) is None else minutes[key] / 60,
        )
        for key, coach in names.items()
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
