"""Views of a proposed change and of the decision on it."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from coach.accounts.access import curators_only
from coach.curation.figures import keep_figures
from coach.curation.models import Proposal
from coach.curation.pages.contexts import proposal_context
from coach.curation.request_values import text_in
from coach.curation.services import approve_proposal, send_back, withdraw_proposal
from coach.lib.web.http import SignedInRequest


@require_GET
@curators_only
def proposal(request: SignedInRequest, proposal_id: int) -> HttpResponse:
    """Show a proposed change."""
    found = get_object_or_404(Proposal.objects.select_related("version"), pk=proposal_id)
    context = proposal_context(request.user, found)
    return render(request, "curation/proposal.html", context)


def _decide(
    request: SignedInRequest,
    proposal_id: int,
    act: Callable[[Proposal], object],
    words: str | Promise,
) -> HttpResponse:
    found = get_object_or_404(Proposal, pk=proposal_id)
    try:
        act(found)
        messages.success(request, str(words))
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("curation:proposal", proposal_id)


@require_POST
@curators_only
def approve(request: SignedInRequest, proposal_id: int) -> HttpResponse:
    """Approve another curator's change."""
    return _decide(
        request,
        proposal_id,
        lambda found: approve_proposal(proposal=found, curator=request.user),
        gettext_lazy("Approved. The change takes effect once it is published."),
    )


@require_POST
@curators_only
def back(request: SignedInRequest, proposal_id: int) -> HttpResponse:
    """Return a change to its author with a reason."""
    reason = text_in(request, "reason")
    return _decide(
        request,
        proposal_id,
        lambda found: send_back(proposal=found, curator=request.user, reason=reason),
        gettext_lazy("Sent back. The author can read your reason here and on the rule’s page."),
    )


@require_POST
@curators_only
def figures(request: SignedInRequest, proposal_id: int) -> HttpResponse:
    """Confirm that old numbers in the card are a study's figures."""
    texts = request.POST.getlist("kept_figure")
    return _decide(
        request,
        proposal_id,
        lambda found: keep_figures(proposal=found, curator=request.user, texts=texts),
        gettext_lazy("Saved. These figures stay as they are."),
    )


@require_POST
@curators_only
def withdraw(request: SignedInRequest, proposal_id: int) -> HttpResponse:
    """Withdraw the curator's own change."""
    return _decide(
        request,
        proposal_id,
        lambda found: withdraw_proposal(proposal=found, curator=request.user),
        gettext_lazy("Withdrawn. The version stays in the rule’s history."),
    )
