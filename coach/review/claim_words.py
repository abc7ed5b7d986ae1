"""Words for claims: the coach and the time limit."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.lib.words.dates import written
from coach.review.items.words import time_words
from coach.review.models import Review


def claim_words(review: Review | None, coach: User) -> str:
    """Return in words which coach has the take, or that it is waiting."""
    if review is None or not review.is_held() or review.until is None:
        return _stranded_words(review) or _("Waiting")
    if review.coach_id == coach.pk:
        return _("In progress with you")
    return _("With %(name)s until %(time)s") % {
        "name": review.coach,
        "time": time_words(review.until),
    }


def _stranded_words(review: Review | None) -> str:
    """Return which coach a waiting take was reserved for who is away now, or an empty string."""
    if review is None or review.meant_until is None or review.meant_until < timezone.now():
        return ""
    meant_for = review.meant_for
    if meant_for is None or meant_for.away_until is None or not meant_for.is_away:
        return ""
    return _("Reserved for %(name)s, who is away until %(day)s") % {
        "name": meant_for,
        "day": written(meant_for.away_until, "j F"),
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
