"""Flagging a take at the desk, and settling what it was flagged for."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from coach.lib.web.http import SignedInRequest
from coach.review.access import reviewed_by
from coach.review.desk.flags import clear_flag, flag_review
from coach.review.forms import FlagForm, written
from coach.review.models import Review
from coach.review.selectors import review_of


@require_POST
@login_required
def flag(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Flag it, with the reason that was written."""
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
    """Take the flag away."""
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
