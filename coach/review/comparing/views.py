"""View that shows the automatic cards once a coach has written their own."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from coach.lib.web.http import SignedInRequest
from coach.review.access import reviewed_by, try_to_claim
from coach.review.comparing.draw import show_cards
from coach.review.team.timed import counts_item_times


@require_POST
@login_required
@counts_item_times
def cards(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show the automatic cards of a take that came without them."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    problem = try_to_claim(rehearsal, request.user)
    if not problem:
        try:
            show_cards(rehearsal=rehearsal, feedback=feedback, coach=request.user)
        except ValidationError as error:
            problem = error.messages[0]
        else:
            messages.success(request, _("Here are the automatic cards. Decide on them as usual."))
    if problem:
        messages.error(request, problem)
    return redirect("review:desk", rehearsal_id)
