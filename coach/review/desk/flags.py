"""Flags: a coach marks a take, with a reason, for another person to check.

A flag stays through claims, hand-overs and expired leases. "Next take" skips flagged takes; any
coach of the group can still open them. The coach who set the flag or a group lead removes it; if
neither exists any more, every coach of the group can.
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from coach.accounts.models import Membership, Role, User
from coach.audit.services import record_act
from coach.lib.pages.plain_text import PlainTextField
from coach.lib.web.http import SignedInRequest
from coach.rehearsals.selectors import active_grant_filter
from coach.review.access import reviewed_by
from coach.review.forms import written
from coach.review.models import Review
from coach.review.selectors import groups_led_by, review_of


class FlagForm(forms.Form):
    """The form for the reason of a flag."""

    why = PlainTextField(
        max_length=500,
        error_messages={
            "required": gettext_lazy("Give a reason. The person who settles it will read it.")
        },
    )


@transaction.atomic
def flag_review(*, review: Review, coach: User, why: str) -> None:
    """Flag a take.

    Raises ValidationError without a reason, and if it is flagged or answered already.
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
    """Remove the flag. Raises ValidationError for a coach without permission."""
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
    """Return whether this coach may remove the flag."""
    if review.flagged_by_id == coach.pk:
        return True
    if groups_led_by(coach).filter(grants__reviews=review.pk).exists():
        return True
    if review.flagged_by_id is not None and _is_led(review):
        return False
    return Review.objects.filter(active_grant_filter(coach, "grant__"), pk=review.pk).exists()


def _is_led(review: Review) -> bool:
    """Return whether the take's group has a lead who can sign in as a coach."""
    leaders = Membership.objects.filter(role=Role.COACH, leads=True, user__is_active=True)
    return leaders.filter(
        cohort__grants__reviews=review.pk, user__roles__contains=[Role.COACH]
    ).exists()


@require_POST
@login_required
def flag(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Flag a take with a reason."""
    form = FlagForm(request.POST)
    said = _("Flagged. The take is not given to any coach until this is settled.")
    return _carried_out(
        request,
        rehearsal_id,
        lambda review: flag_review(review=review, coach=request.user, why=written(form, "why")),
        said,
    )


@require_POST
@login_required
def settle_flag(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Remove the flag."""
    said = _("Settled. The take is back in the queue.")
    return _carried_out(
        request,
        rehearsal_id,
        lambda review: clear_flag(review=review, coach=request.user),
        said,
    )


def _carried_out(
    request: SignedInRequest, rehearsal_id: UUID, act: Callable[[Review], None], said: str
) -> HttpResponse:
    rehearsal, _feedback = reviewed_by(request.user, rehearsal_id)
    review = review_of(rehearsal)
    if review is None:
        raise Http404
    try:
        act(review)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(request, said)
    return redirect("review:desk", rehearsal_id)
