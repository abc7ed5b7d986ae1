"""Views of dry runs: start, progress and results."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseStopPolling

from coach.accounts.access import curators_only
from coach.curation.dry_runs.models import DryRun
from coach.curation.dry_runs.selectors import dry_runs_for, examples_for
from coach.curation.dry_runs.services import cancel_dry_run, start_dry_run
from coach.curation.models import Proposal
from coach.curation.pages.dry_runs import dry_run_page, dry_run_rows, example_page
from coach.curation.request_values import number_in
from coach.curation.selectors import (
    LIVE,
    approved_proposals,
    next_rule_set,
    proposals_among,
    rule_set_with,
)
from coach.lib.pages.paging import page_of
from coach.lib.web.http import SignedInRequest
from coach.lib.words.placeholder_names import ALL_THAT_IS_APPROVED
from coach.rehearsals.services import record_viewing

_ROWS_A_PAGE = 10


@require_GET
@curators_only
def dry_runs(request: SignedInRequest) -> HttpResponse:
    """Show the list of dry runs, newest first."""
    found, paging = page_of(request, dry_runs_for(request.user), size=_ROWS_A_PAGE)
    rows = dry_run_rows(found)
    context = {"rows": rows, "paging": paging, "has_approved": bool(approved_proposals())}
    return render(request, "curation/dry_runs.html", context)


@require_POST
@curators_only
def start(request: SignedInRequest) -> HttpResponse:
    """Start a dry run of one proposed version, or of all approved ones."""
    chosen = request.POST.get("proposal", "")
    if chosen:
        live = Proposal.objects.filter(state__in=LIVE)
        proposal = get_object_or_404(live, pk=number_in(chosen))
        rule_set, title = rule_set_with(proposal), str(proposal.version)
    else:
        rule_set, title = next_rule_set(), ALL_THAT_IS_APPROVED
    try:
        dry_run = start_dry_run(curator=request.user, rule_set=rule_set, title=title)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("curation:rules")
    return redirect("curation:dry_run", dry_run.pk)


@require_GET
@curators_only
def dry_run(request: SignedInRequest, dry_run_id: UUID) -> HttpResponse:
    """Show a dry run."""
    found = get_object_or_404(dry_runs_for(request.user), pk=dry_run_id)
    page = dry_run_page(found, request.user)
    context = {"page": page, "proposals": proposals_among(found.versions)}
    return render(request, "curation/dry_run.html", context)


@require_GET
@curators_only
def progress(request: SignedInRequest, dry_run_id: UUID) -> HttpResponse:
    """Return the progress for htmx polling, and stop the polling at the end."""
    found = get_object_or_404(dry_runs_for(request.user), pk=dry_run_id)
    page = dry_run_page(found, request.user)
    response = render(request, "curation/dry_run_progress.html", {"page": page})
    if page.is_going_on:
        return response
    return HttpResponseStopPolling(response.content)


@require_POST
@curators_only
def cancel(request: SignedInRequest, dry_run_id: UUID) -> HttpResponse:
    """Cancel a dry run and delete its partial results."""
    found: DryRun = get_object_or_404(dry_runs_for(request.user), pk=dry_run_id)
    cancel_dry_run(dry_run=found, curator=request.user)
    return redirect("curation:dry_run", dry_run_id)


@require_GET
@curators_only
def example(request: SignedInRequest, dry_run_id: UUID, examined_id: int) -> HttpResponse:
    """Show a take before and after, if its owner agreed; the viewing is logged for them."""
    found = get_object_or_404(dry_runs_for(request.user), pk=dry_run_id)
    examined = get_object_or_404(examples_for(request.user, found), pk=examined_id)
    rehearsal = examined.feedback.rehearsal
    record_viewing(rehearsal=rehearsal, viewer=request.user, what="rule_preview")
    page = example_page(examined, request.user)
    return render(request, "curation/dry_run_example.html", {"page": page})
