"""Queries about redone parts, for their owner only."""

from __future__ import annotations

from django.db.models import QuerySet

from coach.accounts.models import User
from coach.practice.models import SpanAgain
from coach.rehearsals.models import Rehearsal


def spans_for(user: User) -> QuerySet[SpanAgain]:
    """Return the person's redone parts of their own takes, newest first."""
    own = SpanAgain.objects.filter(take__owner=user)
    return own.select_related("take__owner", "before", "after", "item__feedback")


def same_span(span: SpanAgain) -> QuerySet[SpanAgain]:
    """Return all attempts at the same part with the same measure, this one included."""
    return SpanAgain.objects.filter(before=span.before_id)


def spans_done_again(take: Rehearsal) -> QuerySet[SpanAgain]:
    """Return the recorded attempts of a take, newest first."""
    return take.spans_again.filter(after__isnull=False)
