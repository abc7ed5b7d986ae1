"""The random choice of takes that come without automatic cards at first, and the end of that."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.feedback.models import Feedback, Item
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.review.models import Review
from coach.review.sampling import draw


def drawn_cards(grant: AccessGrant) -> str:
    """Return whether a sent take comes with or without cards; empty if nothing is compared."""
    share = grant.cohort.without_cards_percent if grant.cohort else 0
    if not share:
        return ""
    is_without = draw("coach.review.comparing", grant) < share / 100
    return Review.Cards.WITHOUT if is_without else Review.Cards.WITH


def hides_cards(review: Review | None) -> bool:
    """Return whether the automatic cards of a take are still hidden from its coaches."""
    return (
        review is not None
        and review.cards == Review.Cards.WITHOUT
        and review.cards_shown_at is None
        and review.finished_at is None
    )


def has_own_card(feedback: Feedback) -> bool:
    """Return whether a coach has written a card of their own on this draft."""
    return feedback.items.filter(origin=Item.Origin.COACH).exists()


@transaction.atomic
def show_cards(*, rehearsal: Rehearsal, feedback: Feedback, coach: User) -> None:
    """Show the automatic cards, and keep the minutes that the coach's own cards took.

    Raises ValidationError before the coach has written one, or without the claim.
    """
    rows = Review.objects.select_for_update(of=("self",))
    review = rows.filter(rehearsal=rehearsal, coach=coach, finished_at=None).first()
    if review is None:
        raise ValidationError(_("Another coach has this take now. Nothing was changed."))
    if not hides_cards(review):
        return
    if not has_own_card(feedback):
        raise ValidationError(_("Write a card of your own first."))
    review.cards_shown_at, review.own_seconds = timezone.now(), review.desk_seconds
    review.save(update_fields=["cards_shown_at", "own_seconds"])
    record_act(action="review.cards_shown", target=rehearsal, actor=coach)
