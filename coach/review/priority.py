"""Priority of reviews: a sum of a few factors, each of them shown.

The factors and their maximum weights are rules of thumb: the share of the promised reply time
counts most, then the day of the talk, then the lowest confidence of the machine. A coach may
sort by any factor, and open any take.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias, TypedDict

from django.db.models import (
    BooleanField,
    Case,
    DateTimeField,
    DurationField,
    F,
    FloatField,
    Func,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.expressions import Combinable, ExpressionWrapper
from django.db.models.functions import Cast, Coalesce, Extract, Round
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import WithAnnotations

from coach.review.models import Review
from coach.review.reply_pause import stands_still, stood_still, was_answered

HOUR = 3600.0
DAY = 24 * HOUR
_AN_HOUR, _A_DAY = timedelta(hours=1), timedelta(days=1)

AGE_POINTS, LATE_POINTS = 30.0, 20.0
DAYS_WITHOUT_PROMISE = 10.0
"""The wait that weighs as much as an expiring promise, if no reply time was promised."""
DEADLINE_POINTS = ((1, 30.0), (3, 20.0), (7, 10.0))
"""Pairs of days until the talk, and the weight of that."""
UNCERTAINTY_POINTS = 15.0
TRIAL_POINTS = 10.0
FIRST_POINTS = 10.0
SECOND_POINTS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorityFactor:
    """A reason to answer a take sooner."""

    key: str
    label: Promise
    why: Promise


PARTS = (
    PriorityFactor(
        key="age", label=_("Waiting"), why=_("How much of the promised reply time has passed.")
    ),
    PriorityFactor(
        key="deadline", label=_("Talk soon"), why=_("The talk takes place in a few days.")
    ),
    PriorityFactor(
        key="uncertainty",
        label=_("Low confidence"),
        why=_("The automatic cards for this take have low confidence."),
    ),
    PriorityFactor(
        key="trial",
        label=_("Rule on trial"),
        why=_(
            "One card comes from an experimental rule with few decisions so far. Yours "
            "helps to judge the rule."
        ),
    ),
    PriorityFactor(
        key="first", label=_("First take"), why=_("This trainee has not received feedback before.")
    ),
    PriorityFactor(
        key="second",
        label=_("Second opinion"),
        why=_(
            "A second coach also rates this take. The two opinions can be compared once "
            "you have answered."
        ),
    ),
)
"""The factors in display order."""


class PriorityFields(TypedDict):
    """The fields with which a query annotates the priority of a review."""

    due_at: datetime | None
    is_paused: bool
    is_answered: bool
    priority: float


WeighedReview: TypeAlias = "WithAnnotations[Review, PriorityFields]"


def with_priority(
    reviews: QuerySet[Review], now: datetime | None = None
) -> QuerySet[WeighedReview]:
    """Return reviews with `due_at`, `part_*` in whole points, and `priority`, their sum.

    Also `is_paused` and `is_answered`: whether a coach's question is open, or was answered.
    """
    moment = now or timezone.now()
    parts = {f"part_{key}": Round(points) for key, points in _points(moment).items()}
    summed: Combinable = Value(0.0)
    for name in parts:
        summed = summed + F(name)
    clocked = reviews.annotate(
        stood=stood_still(moment),
        is_paused=stands_still(moment),
        is_answered=was_answered(moment),
    )
    return clocked.annotate(due_at=_due_at()).annotate(**parts).annotate(priority=summed)


def _due_at() -> Any:
    """Return the promised reply time, later by the pause; NULL without a promise."""
    hours = ExpressionWrapper(
        F("grant__cohort__reply_hours") * Value(_AN_HOUR, output_field=DurationField()),
        output_field=DurationField(),
    )
    return ExpressionWrapper(
        F("grant__created_at") + hours + F("stood"), output_field=DateTimeField()
    )


def _points(now: datetime) -> dict[str, Any]:
    return {
        "age": _age(now),
        "deadline": _deadline(now),
        "uncertainty": F("uncertainty") * Value(UNCERTAINTY_POINTS),
        "trial": _if(Q(is_on_trial=True), TRIAL_POINTS),
        "first": _if(Q(is_first=True), FIRST_POINTS),
        "second": _if(Q(wants_second=True), SECOND_POINTS),
    }


def _if(condition: Q, points: float) -> Case:
    return Case(When(condition, then=Value(points)), default=Value(0.0), output_field=FloatField())


class _AgePoints(Func):
    """The weight of waiting, from the used share of the reply time and whether it was promised.

    PostgreSQL evaluates an expression as often as it is written, and this one queries questions:
    the subquery, an optimisation fence because of OFFSET, evaluates it once per review.
    """

    template = (
        "(SELECT LEAST(used, 1) * %(most)s + CASE WHEN used > 1 AND is_promised THEN %(late)s "
        "ELSE 0 END FROM (SELECT %(expressions)s OFFSET 0) AS clock (used, is_promised))"
    )
    output_field = FloatField()


def _age(now: datetime) -> Combinable:
    waited = Extract(
        ExpressionWrapper(
            Value(now, output_field=DateTimeField()) - F("grant__created_at") - F("stood"),
            output_field=DurationField(),
        ),
        "epoch",
        output_field=FloatField(),
    )
    promised = Cast(F("grant__cohort__reply_hours"), FloatField()) * Value(HOUR)
    whole = Coalesce(promised, Value(DAYS_WITHOUT_PROMISE * DAY))
    is_promised = Q(grant__cohort__reply_hours__isnull=False)
    return _AgePoints(
        waited / whole,
        ExpressionWrapper(is_promised, BooleanField()),
        most=AGE_POINTS,
        late=LATE_POINTS,
    )


def _deadline(now: datetime) -> Case:
    """Return the weight of a talk soon; a talk in the past adds none."""
    today = timezone.localdate(now)
    near = [
        When(
            grant__needed_by__gte=today,
            grant__needed_by__lte=today + days * _A_DAY,
            then=Value(points),
        )
        for days, points in DEADLINE_POINTS
    ]
    return Case(*near, default=Value(0.0), output_field=FloatField())
