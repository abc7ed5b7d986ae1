"""Reading spans that were done again: only their owner."""

from __future__ import annotations

from django.db.models import QuerySet

from coach.accounts.models import User
from coach.practice.models import SpanAgain
from coach.rehearsals.models import Rehearsal


def spans_for(user: User) -> QuerySet[SpanAgain]:
    """What the person does again of their own takes, the newest first."""
    own = SpanAgain.objects.filter(take__owner=user)
    return own.select_related("take__owner", "before", "after", "item__feedback")


def same_span(span: SpanAgain) -> QuerySet[SpanAgain]:
    """All tries of the same span with the same measure, this one included."""
    return SpanAgain.objects.filter(before=span.before_id)


def spans_done_again(take: Rehearsal) -> QuerySet[SpanAgain]:
    """Those of a take that were recorded, the newest first."""
    return take.spans_again.filter(after__isnull=False)
