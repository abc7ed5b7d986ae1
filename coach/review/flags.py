"""A take that needs somebody else's eye: flagged with a reason, until that is settled.

A flag holds through claims, hand-overs and leases that end. "Take the next one" passes it by; any
coach of the group may still open it, and only who flagged it, or who leads, takes the flag away.
"""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.review.models import Review
from coach.review.selectors import groups_led_by


@transaction.atomic
def flag_review(*, review: Review, coach: User, why: str) -> None:
    """Say that something about a take has to be settled before it is answered.

    Raises ValidationError without a reason, and where it is flagged already.
    """
    why = why.strip()
    if not why:
        raise ValidationError(_("Say why: whoever settles it reads it."))
    flagged = Review.objects.filter(pk=review.pk, finished_at=None, flag="").update(
        flag=why, flagged_by=coach, flagged_at=timezone.now()
    )
    if not flagged:
        raise ValidationError(_("This take is flagged already, or was answered."))
    record_act(
        action="review.flagged", target=review.rehearsal, actor=coach, before="", after="flagged"
    )


@transaction.atomic
def clear_flag(*, review: Review, coach: User) -> None:
    """It is settled: the take is handed out again. Raises ValidationError for anybody else."""
    held = Review.objects.select_for_update().get(pk=review.pk)
    if not may_clear(held, coach):
        raise ValidationError(_("Who flagged it, or who leads the group, takes the flag away."))
    Review.objects.filter(pk=held.pk).update(flag="", flagged_by=None, flagged_at=None)
    if held.flag:
        record_act(
            action="review.flag_cleared",
            target=review.rehearsal,
            actor=coach,
            before="flagged",
            after="",
        )


def may_clear(review: Review, coach: User) -> bool:
    """Who flagged it, and who leads the group that it was sent to."""
    if review.flagged_by_id == coach.pk:
        return True
    return groups_led_by(coach).filter(grants__reviews=review.pk).exists()
