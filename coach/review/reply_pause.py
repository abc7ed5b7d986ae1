"""Pause of the promised reply time while a coach waits for the trainee's answer.

Nothing is stored for it: how long it stood follows from the question and its answer. A trainee who
does not answer holds nothing up: after some days the clock runs on by itself.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import (
    DateTimeField,
    DurationField,
    Exists,
    F,
    OuterRef,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.expressions import ExpressionWrapper
from django.db.models.functions import Coalesce, Least

from coach.feedback.messages import LONGEST
from coach.feedback.models import Question
from coach.rehearsals.models import Rehearsal

_NONE = timedelta(0)


def _asked() -> QuerySet[Question]:
    """What a coach asked about a take since it was sent; the outer row is a review."""
    return Question.objects.filter(
        rehearsal=OuterRef("rehearsal"), item=None, at__gte=OuterRef("grant__created_at")
    )


def stood_still(now: datetime) -> Any:
    """Return how long a review was paused for a reply so far; zero for most."""
    moment = Value(now, output_field=DateTimeField())
    longest = ExpressionWrapper(
        F("at") + Value(LONGEST, output_field=DurationField()), output_field=DateTimeField()
    )
    until = Least(Coalesce("answered_at", "withdrawn_at", moment), longest)
    stood = ExpressionWrapper(until - F("at"), output_field=DurationField())
    newest = _asked().order_by("-at").annotate(stood=stood).values("stood")[:1]
    return Coalesce(
        Subquery(newest, output_field=DurationField()),
        Value(_NONE, output_field=DurationField()),
        output_field=DurationField(),
    )


def stands_still(now: datetime) -> Exists:
    """Return whether a review is paused for a reply now."""
    return Exists(_asked().filter(answered_at=None, withdrawn_at=None, at__gt=now - LONGEST))


def is_asked(rehearsal: Rehearsal) -> bool:
    """Return whether the trainee still has to reply."""
    return rehearsal.questions.filter(item=None, answered_at=None, withdrawn_at=None).exists()


def was_answered(now: datetime) -> Exists:
    """Return whether the trainee has replied, so that the same coach goes on."""
    return Exists(_asked().filter(answered_at__lte=now))
