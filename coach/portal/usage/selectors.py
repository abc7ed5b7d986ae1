"""Counts by week and by group, from the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, TypeVar

from django.db.models import (
    Aggregate,
    Count,
    DurationField,
    ExpressionWrapper,
    F,
    FloatField,
    Model,
    Q,
    QuerySet,
    Sum,
)
from django.db.models.functions import Extract, TruncWeek
from django.utils import timezone

from coach.accounts.models import Cohort, Role
from coach.feedback.models import Run
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.review.team.counts import Percentile

M = TypeVar("M", bound=Model)

FEWEST = 5
"""Fewest events behind a time that is shown: fewer would be about a person (rule of thumb)."""
WEEKS = 12
_MONTH = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Median and 90th percentile of a time in seconds; None for fewer than `FEWEST` events."""

    median: float | None = None
    p90: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekFigures:
    """What happened in one week from Monday, in the site's time zone."""

    starts_on: date
    people: int = 0
    takes: int = 0
    failed: int = 0
    answers: int = 0
    until_report: Spread = Spread()
    until_answer: Spread = Spread()


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupFigures:
    """One group: trainees, what they recorded within 30 days, and the size of its recordings."""

    group: Cohort
    trainees: int
    practised: int
    takes: int
    size_bytes: int


def figures_by_week(groups: QuerySet[Cohort] | None = None) -> Sequence[WeekFigures]:
    """Return the last `WEEKS` weeks, newest first, of the whole site or of these groups."""
    monday = timezone.localdate() - timedelta(days=timezone.localdate().weekday())
    starts = [monday - timedelta(weeks=n) for n in range(WEEKS)]
    since = timezone.make_aware(datetime.combine(starts[-1], datetime.min.time()))
    takes = _by_week(
        _of(groups, "cohort", _counted(Rehearsal.objects.all())).filter(created_at__gte=since),
        "created_at",
        takes=Count("pk"),
        people=Count("owner", distinct=True),
    )
    runs = _by_week(
        _of(groups, "rehearsal__cohort", Run.objects.all())
        .filter(finished_at__gte=since, rehearsal__owner__trial_ends_at=None)
        .annotate(seconds=_seconds_until("finished_at")),
        "finished_at",
        failed=Count("pk", filter=Q(state=Run.State.FAILED)),
        **_spread(only=Q(state=Run.State.DONE)),
    )
    answers = _by_week(
        _of(groups, "cohort", AccessGrant.objects.all())
        .filter(answered_at__gte=since, cohort__isnull=False, revoked_at=None)
        .annotate(seconds=_seconds_until("answered_at")),
        "answered_at",
        **_spread(only=Q(pk__isnull=False)),
    )
    return [_week(start, takes, runs, answers) for start in starts]


def _of(groups: QuerySet[Cohort] | None, path: str, rows: QuerySet[M]) -> QuerySet[M]:
    return rows if groups is None else rows.filter(**{f"{path}__in": groups.values("pk")})


def _week(
    start: date,
    takes: dict[date, dict[str, Any]],
    runs: dict[date, dict[str, Any]],
    answers: dict[date, dict[str, Any]],
) -> WeekFigures:
    took, ran, answered = takes.get(start, {}), runs.get(start, {}), answers.get(start, {})
    return WeekFigures(
        starts_on=start,
        people=took.get("people", 0),
        takes=took.get("takes", 0),
        failed=ran.get("failed", 0),
        answers=answered.get("n", 0),
        until_report=_shown(ran),
        until_answer=_shown(answered),
    )


def _shown(row: dict[str, Any]) -> Spread:
    if row.get("n", 0) < FEWEST:
        return Spread()
    return Spread(median=row["median"], p90=row["p90"])


def _spread(*, only: Q) -> dict[str, Aggregate]:
    return {
        "n": Count("pk", filter=only),
        "median": Percentile("seconds", 0.5, filter=only),
        "p90": Percentile("seconds", 0.9, filter=only),
    }


def _seconds_until(end: str) -> Extract:
    wait = ExpressionWrapper(F(end) - F("created_at"), output_field=DurationField())
    return Extract(wait, "epoch", output_field=FloatField())


def _by_week(rows: QuerySet[Any], moment: str, **figures: Aggregate) -> dict[date, dict[str, Any]]:
    found = rows.annotate(week=TruncWeek(moment)).values("week").annotate(**figures).order_by()
    return {timezone.localdate(each["week"]): each for each in found}


def _counted(takes: QuerySet[Rehearsal]) -> QuerySet[Rehearsal]:
    """Leave out visitors in a trial, who are in no count."""
    return takes.filter(owner__trial_ends_at=None)


def figures_by_group(groups: Sequence[Cohort]) -> Sequence[GroupFigures]:
    """Return the figures of these groups, in three queries for any number of them."""
    month_ago = timezone.now() - _MONTH
    own = Rehearsal.objects.filter(cohort__in=groups)
    lately = _values(
        own.filter(created_at__gte=month_ago), n=Count("pk"), people=Count("owner", distinct=True)
    )
    sizes = _values(own.filter(media_removed_at=None), size=Sum("size_bytes"))
    trainees = dict(
        Cohort.objects.filter(pk__in=[each.pk for each in groups])
        .annotate(n=Count("memberships", filter=Q(memberships__role=Role.TRAINEE)))
        .values_list("pk", "n")
    )
    return [
        GroupFigures(
            group=each,
            trainees=trainees.get(each.pk, 0),
            practised=lately.get(each.pk, {}).get("people", 0),
            takes=lately.get(each.pk, {}).get("n", 0),
            size_bytes=sizes.get(each.pk, {}).get("size", 0),
        )
        for each in groups
    ]


def _values(takes: QuerySet[Rehearsal], **figures: Aggregate) -> dict[int, dict[str, Any]]:
    rows = takes.values("cohort").annotate(**figures).order_by()
    return {each["cohort"]: {**each} for each in rows}
