"""Reading the queue."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from coach.accounts.models import User
from coach.feedback.models import Feedback
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.rehearsals.selectors import grants_to, shared_rehearsals_for
from coach.review.models import Claim


def reviews_for(coach: User) -> QuerySet[Rehearsal]:
    """Rehearsals that were sent to this coach and have a draft or released feedback."""
    return (
        shared_rehearsals_for(coach)
        .filter(Exists(Feedback.objects.filter(rehearsal=OuterRef("pk"))))
        .select_related("owner", "cohort", "claim__coach")
    )


def waiting_for(coach: User) -> QuerySet[AccessGrant]:
    """What was sent to this coach and is not answered, the longest waiting first."""
    return _requests_to(coach).filter(answered_at=None).order_by("created_at", "pk")


def answered_for(coach: User) -> QuerySet[AccessGrant]:
    """What was sent to this coach and is answered, the latest answer first."""
    return _requests_to(coach).filter(answered_at__isnull=False).order_by("-answered_at", "-pk")


def sent_to(coach: User, *, is_answered: bool) -> QuerySet[AccessGrant]:
    """Just the grants, for counting.

    A take that was sent to two of the coach's groups, or that is their own, counts with the others.
    """
    return grants_to(coach).filter(answered_at__isnull=not is_answered)


def _requests_to(coach: User) -> QuerySet[AccessGrant]:
    """One grant a take, the first, with what a line about it needs; no draft is read."""
    earlier = grants_to(coach).filter(rehearsal=OuterRef("rehearsal"), pk__lt=OuterRef("pk"))
    drafts = Feedback.objects.filter(rehearsal=OuterRef("rehearsal"))
    return (
        grants_to(coach)
        .filter(Exists(drafts), ~Exists(earlier))
        .exclude(rehearsal__owner=coach)
        .select_related("rehearsal__owner", "rehearsal__cohort", "rehearsal__claim__coach")
    )


def live_claim(rehearsal: Rehearsal) -> Claim | None:
    """Who is on it now, if anybody."""
    claim = Claim.objects.filter(rehearsal=rehearsal).select_related("coach").first()
    return claim if claim is not None and claim.until > timezone.now() else None


def draft_of(rehearsal: Rehearsal) -> Feedback | None:
    """The version that a coach works on: the newest."""
    return (
        Feedback.objects.filter(rehearsal=rehearsal)
        .select_related("rule_set", "run", "rehearsal")
        .defer("rule_set__documents", "draft")
        .order_by("-version")
        .first()
    )
