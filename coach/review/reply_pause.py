"""The pause of the promised reply time during a coach's question to the trainee.

Nothing is stored: the pause follows from the times of the question and its answer. An unanswered
question pauses the reply time for some days at most.
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
    """Return coaches' questions since the take was sent; the outer query is of reviews."""
    return Question.objects.filter(
        rehearsal=OuterRef("rehearsal"), item=None, at__gte=OuterRef("grant__created_at")
    )


def stood_still(now: datetime) -> Any:
    """Return the total pause of a review so far, as an expression; zero for most."""
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
    """Return whether a review is paused now, as an expression."""
    return Exists(_asked().filter(answered_at=None, withdrawn_at=None, at__gt=now - LONGEST))


def is_asked(rehearsal: Rehearsal) -> bool:
    """Return whether a coach's question to the trainee is open."""
    return rehearsal.questions.filter(item=None, answered_at=None, withdrawn_at=None).exists()


def was_answered(now: datetime) -> Exists:
    """Return whether the trainee has answered, as an expression: the same coach continues."""
    return Exists(_asked().filter(answered_at__lte=now))
