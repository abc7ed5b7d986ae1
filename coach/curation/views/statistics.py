"""Views of the statistics of rules."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from coach.accounts.access import curators_only
from coach.curation.pages.statistics import rule_statistics_page, statistics_page
from coach.lib.web.http import SignedInRequest


@require_GET
@curators_only
def statistics(request: SignedInRequest) -> HttpResponse:
    """Show the statistics of all rules, flagged ones first."""
    page = statistics_page(request.user, period=request.GET.get("days", ""))
    return render(request, "curation/statistics.html", {"page": page})


@require_GET
@curators_only
def statistics_of(request: SignedInRequest, rule: str) -> HttpResponse:
    """Show the statistics of a rule by version and group. Raises Http404."""
    page = rule_statistics_page(request.user, rule=rule, period=request.GET.get("days", ""))
    if page is None:
        raise Http404
    return render(request, "curation/statistics_of.html", {"page": page})
