"""One proposed change: what it changes, and the decision on it."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from coach.curation.access import curators_only
from coach.curation.dry_run_pages import changed_words
from coach.curation.dry_run_selectors import latest_dry_run, results_of
from coach.curation.models import Proposal
from coach.curation.preview import sample_previews
from coach.curation.selectors import LIVE, rule_set_with, working_rule
from coach.curation.services import (
    approval_obstacle,
    approve_proposal,
    send_back,
    withdraw_proposal,
)
from coach.curation.studio import diff_view, speaking_version
from coach.lib.http import SignedInRequest
from coach.rulesets.selectors import rule_of
from feedback_rules.explain import problems_of


@require_GET
@curators_only
def proposal(request: SignedInRequest, proposal_id: int) -> HttpResponse:
    """One proposed change."""
    found = get_object_or_404(Proposal.objects.select_related("version"), pk=proposal_id)
    working = working_rule(found.rule)
    standing = speaking_version(working) if working else None
    is_live = found.state in LIVE
    before = standing if is_live and standing != found.version else found.version.base
    rule = rule_of(found.version)
    dry_run = latest_dry_run(rule_set_with(found)) if is_live else None
    is_own = found.version.author_id == request.user.pk
    context = {
        "proposal": found,
        "diff": diff_view(before, found.version),
        "problems": problems_of(rule) if is_live else (),
        "obstacle": approval_obstacle(found, curator=request.user),
        "is_open": found.state == Proposal.State.OPEN,
        "is_live": is_live,
        "is_own": is_own,
        "previews": sample_previews(rule)[:1],
        "dry_run": dry_run,
        "dry_run_words": changed_words(results_of(dry_run)) if dry_run else "",
    }
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
    """Approve somebody else's change."""
    return _decide(
        request,
        proposal_id,
        lambda found: approve_proposal(proposal=found, curator=request.user),
        gettext_lazy("Approved. It speaks once it is published."),
    )


@require_POST
@curators_only
def back(request: SignedInRequest, proposal_id: int) -> HttpResponse:
    """Send a change back with a reason."""
    reason = request.POST.get("reason", "")[:2000]
    return _decide(
        request,
        proposal_id,
        lambda found: send_back(proposal=found, curator=request.user, reason=reason),
        gettext_lazy("Sent back. Its author reads your reason here and on the rule's page."),
    )


@require_POST
@curators_only
def withdraw(request: SignedInRequest, proposal_id: int) -> HttpResponse:
    """Take one's own change back."""
    return _decide(
        request,
        proposal_id,
        lambda found: withdraw_proposal(proposal=found, curator=request.user),
        gettext_lazy("Taken back. The version stays in the rule's history."),
    )
