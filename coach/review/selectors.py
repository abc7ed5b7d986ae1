"""Reading the queue."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone

from coach.accounts.models import User
from coach.feedback.models import Feedback
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import shared_rehearsals_for
from coach.review.models import Claim


def reviews_for(coach: User) -> QuerySet[Rehearsal]:
    """Rehearsals that were sent to this coach and have a draft or released feedback."""
    return (
        shared_rehearsals_for(coach)
        .filter(feedback__isnull=False)
        .distinct()
        .select_related("owner", "cohort", "claim__coach")
        .prefetch_related("feedback", "grants")
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
        .order_by("-version")
        .first()
    )
