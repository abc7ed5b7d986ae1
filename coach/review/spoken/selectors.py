"""Queries about spoken replies: the only access to them."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from coach.accounts.models import User
from coach.feedback.models import Feedback
from coach.rehearsals.models import Rehearsal
from coach.review.selectors import takes_to_review_for
from coach.review.spoken.models import SpokenReply


def spoken_replies_for(user: User) -> QuerySet[SpokenReply]:
    """Return the replies that the user may hear.

    Owners hear those of released versions; coaches those on takes that they review.
    """
    allowed = Q(rehearsal__owner=user) & Q(_released())
    if user.can_review:
        allowed |= Q(rehearsal__in=takes_to_review_for(user).values("pk"))
    return SpokenReply.objects.filter(allowed)


def unreleased_replies(rehearsal: Rehearsal) -> QuerySet[SpokenReply]:
    """Return the replies to a take that wait for the next release."""
    return SpokenReply.objects.filter(~Q(_released()), rehearsal=rehearsal)


def released_replies(rehearsal: Rehearsal) -> QuerySet[SpokenReply]:
    """Return the replies that the owner of a take can play or read."""
    return SpokenReply.objects.filter(
        Q(_released()), Q(has_copy=True) | ~Q(words=[]), rehearsal=rehearsal
    )


def replies_spoken_by(user: User) -> QuerySet[SpokenReply]:
    """Return the replies that the user recorded as a coach."""
    return SpokenReply.objects.filter(author=user)


def stored_replies() -> QuerySet[SpokenReply]:
    """Return the replies whose files are stored (`coach.rehearsals.external_recordings`)."""
    return SpokenReply.objects.filter(media_key__isnull=False).annotate(key=F("media_key"))


def _released() -> Exists:
    """Return whether feedback that its owner can read was released after the reply."""
    released = Feedback.objects.filter(
        rehearsal=OuterRef("rehearsal"),
        state=Feedback.State.RELEASED,
        released_at__lte=timezone.now(),
        released_at__gte=OuterRef("created_at"),
    )
    return Exists(released)
