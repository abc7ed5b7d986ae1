"""Queries for ratings: a coach's own, and the owner's view after the release."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from coach.accounts.models import User
from coach.feedback.selectors import released_by_now
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.review.rubric.models import Occasion, Rating


def to_rate_first(coach: User) -> QuerySet[Rehearsal]:
    """Return waiting takes that this coach has to rate before seeing the cards.

    All findings are hidden from the coach until then.
    """
    asked = AccessGrant.objects.filter(
        rehearsal=OuterRef("pk"), revoked_at=None, answered_at=None, cohort__rubric_first=True
    )
    judged = Rating.objects.filter(
        rehearsal=OuterRef("pk"), coach=coach, occasion=Occasion.REVIEW, finished_at__isnull=False
    )
    return Rehearsal.objects.filter(Exists(asked), ~Exists(judged))


def must_rate_first(coach: User, rehearsal_id: UUID) -> bool:
    """Return whether this coach rates the take before seeing the analysis."""
    return to_rate_first(coach).filter(pk=rehearsal_id).exists()


def ratings_for(coach: User) -> QuerySet[Rating]:
    """Return this coach's ratings."""
    return Rating.objects.filter(coach=coach).prefetch_related("judgements", "priorities")


def own_rating(coach: User, rehearsal: Rehearsal, occasion: Occasion) -> Rating | None:
    """Return this coach's rating of the take, finished or not, or None."""
    return ratings_for(coach).filter(rehearsal=rehearsal, occasion=occasion).first()


def released_rating_for(owner: User, rehearsal: Rehearsal) -> Rating | None:
    """Return the releasing coach's rating for the owner, or None if it is not shared."""
    cohort = rehearsal.cohort
    if rehearsal.owner_id != owner.pk or cohort is None or not cohort.rubric_for_trainees:
        return None
    released = released_by_now().filter(rehearsal=rehearsal)
    latest = released.order_by("-version").first()
    if latest is None or latest.released_by_id is None:
        return None
    return (
        Rating.objects.filter(
            rehearsal=rehearsal,
            coach=latest.released_by_id,
            occasion=Occasion.REVIEW,
            finished_at__isnull=False,
        )
        .prefetch_related("judgements")
        .first()
    )
