"""Words for claims: the coach and the time limit."""

from __future__ import annotations

from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.review.items.words import time_words
from coach.review.models import Review


def claim_words(review: Review | None, coach: User) -> str:
    """Return in words which coach has the take, or that it is waiting."""
    if review is None or not review.is_held() or review.until is None:
        return _("Waiting")
    if review.coach_id == coach.pk:
        return _("In progress with you")
    return _("With %(name)s until %(time)s") % {
        "name": review.coach,
        "time": time_words(review.until),
    }


def lease_words(review: Review | None, coach: User) -> str:
    """Return until when this coach has the take without activity, or an empty string."""
    if review is None or review.until is None or not is_of(review, coach):
        return ""
    return _("Reserved for you. If you close this page, the take is free again at %(time)s.") % {
        "time": time_words(review.until)
    }


def kept_words(review: Review, coach: User) -> str:
    """Return for whom a take is reserved, and who handed it over, if anybody did."""
    if review.handed_by is None or review.handed_at is None:
        return _("This take is reserved for %(name)s.") % {"name": review.meant_for}
    words = (
        _("You handed this take to %(name)s at %(time)s.")
        if review.handed_by_id == coach.pk
        else _("%(giver)s handed this take to %(name)s at %(time)s.")
    )
    return words % {
        "giver": review.handed_by,
        "name": review.meant_for,
        "time": time_words(review.handed_at),
    }


def is_of(review: Review | None, coach: User) -> bool:
    """Return whether this coach has the take now."""
    return review is not None and review.is_held() and review.coach_id == coach.pk
