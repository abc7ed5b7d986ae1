"""A take that needs somebody else's eye: flagged with a reason, until that is settled.

A flag holds through claims, hand-overs and leases that end. "Take the next one" passes it by; any
coach of the group may still open it, and only who flagged it, or who leads, takes the flag away.
Where neither is there (any more), every coach of the group may: no take waits for nobody.
"""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import Membership, Role, User
from coach.audit.services import record_act
from coach.rehearsals.selectors import active_grant_filter
from coach.review.models import Review
from coach.review.selectors import groups_led_by


@transaction.atomic
def flag_review(*, review: Review, coach: User, why: str) -> None:
    """Say that something about a take has to be settled before it is answered.

    Raises ValidationError without a reason, and where it is flagged already.
    """
    why = why.strip()
    if not why:
        raise ValidationError(_("Give a reason. The person who settles it will read it."))
    flagged = Review.objects.filter(pk=review.pk, finished_at=None, flag="").update(
        flag=why, flagged_by=coach, flagged_at=timezone.now()
    )
    if not flagged:
        raise ValidationError(_("This take is already flagged or answered."))
    record_act(
        action="review.flagged", target=review.rehearsal, actor=coach, before="", after="flagged"
    )


@transaction.atomic
def clear_flag(*, review: Review, coach: User) -> None:
    """It is settled: the take is handed out again. Raises ValidationError for anybody else."""
    held = Review.objects.select_for_update().get(pk=review.pk)
    if not may_clear(held, coach):
        raise ValidationError(
            _("Only the coach who flagged the take or a group lead can remove the flag.")
        )
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
    """Who flagged it, and who leads the group that it was sent to; else any of its coaches."""
    if review.flagged_by_id == coach.pk:
        return True
    if groups_led_by(coach).filter(grants__reviews=review.pk).exists():
        return True
    if review.flagged_by_id is not None and _is_led(review):
        return False
    return Review.objects.filter(active_grant_filter(coach, "grant__"), pk=review.pk).exists()


def _is_led(review: Review) -> bool:
    """Whether anybody leads the coaches of its group who can still sign in as a coach."""
    leaders = Membership.objects.filter(role=Role.COACH, leads=True, user__is_active=True)
    return leaders.filter(
        cohort__grants__reviews=review.pk, user__roles__contains=[Role.COACH]
    ).exists()
