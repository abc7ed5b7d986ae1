"""Questions and disagreements after a release that wait for a coach's answer."""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias, TypedDict

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Least
from django.utils import timezone
from django_stubs_ext import WithAnnotations

from coach.accounts.models import Membership, Role, User
from coach.feedback.messages import OTHERS_AFTER
from coach.feedback.models import Dispute, Question
from coach.feedback.selectors import released_by_now
from coach.rehearsals.models import Rehearsal
from coach.review.selectors import takes_to_review_for

MOST_OPEN = 500
"""The maximum number of loaded messages, more than a day's answers; the rest follows later."""

_OPEN = Q(answered_at=None, withdrawn_at=None)


class Returned(TypedDict):
    """The fields of a released take with an open question or disagreement."""

    answered: datetime
    answered_by: int | None
    since: datetime
    """The time of the first unanswered message."""


ReturnedTake: TypeAlias = "WithAnnotations[Rehearsal, Returned]"


def open_disputes_for(coach: User) -> QuerySet[Dispute]:
    """Return disagreements on takes that were sent to this coach, released or not."""
    return Dispute.objects.filter(
        _OPEN, item__feedback__rehearsal__in=takes_to_review_for(coach).values("pk")
    )


def open_questions_for(coach: User) -> QuerySet[Question]:
    """Return questions about items of takes that were sent to this coach."""
    return Question.objects.filter(
        _OPEN, item__isnull=False, rehearsal__in=takes_to_review_for(coach).values("pk")
    )


def come_back_for(coach: User, now: datetime | None = None) -> QuerySet[ReturnedTake]:
    """Return released takes with open messages, longest wait first, with `since`.

    Only the releasing coach sees it for a day, then every coach. A disagreement from
    before the release was on the review page: the release answers it.
    """
    moment = now or timezone.now()
    # Start from the few open messages, not from all takes.
    asked = open_questions_for(coach).values_list("rehearsal", flat=True)
    objected = open_disputes_for(coach).values_list("item__feedback__rehearsal", flat=True)
    candidates = {*asked[:MOST_OPEN], *objected[:MOST_OPEN]}
    released = released_by_now().filter(rehearsal=OuterRef("pk")).order_by("-version")
    rows = (
        takes_to_review_for(coach)
        .filter(pk__in=candidates)
        .annotate(
            answered=Subquery(released.values("released_at")[:1]),
            answered_by=Subquery(released.values("released_by")[:1]),
        )
        .filter(answered__isnull=False)
        .annotate(since=Least(_first_question(), _first_objection()))
        .filter(since__isnull=False)
    )
    mine = Q(answered_by=coach.pk)
    is_anybodys = Q(since__lt=moment - OTHERS_AFTER) | ~Exists(_first_coach())
    return rows.filter(mine | is_anybodys).order_by("since", "pk")


def _first_question() -> Subquery:
    open_ones = Question.objects.filter(_OPEN, rehearsal=OuterRef("pk"), item__isnull=False)
    return Subquery(open_ones.order_by("at").values("at")[:1])


def _first_objection() -> Subquery:
    open_ones = Dispute.objects.filter(
        _OPEN, item__feedback__rehearsal=OuterRef("pk"), at__gt=OuterRef("answered")
    )
    return Subquery(open_ones.order_by("at").values("at")[:1])


def _first_coach() -> QuerySet[Membership]:
    """Return the releasing coach's membership, if they still coach the take's group."""
    return Membership.objects.filter(
        user=OuterRef("answered_by"),
        user__is_active=True,
        user__roles__contains=[Role.COACH],
        role=Role.COACH,
        cohort__grants__rehearsal=OuterRef("pk"),
        cohort__grants__revoked_at=None,
    )
