"""Views of usage and service figures, for administrators of the site and of departments."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from coach.accounts.access import people_managers_only
from coach.lib.files.csv_tables import csv_lines, for_spreadsheets
from coach.lib.web.http import SignedInRequest, attachment
from coach.portal.usage.page import (
    GROUP_COLUMNS,
    WEEK_COLUMNS,
    group_rows,
    usage_page,
    week_rows,
)

_CSV = "text/csv; charset=utf-8"


@require_safe
@people_managers_only
def usage(request: SignedInRequest) -> HttpResponse:
    """Show figures by week and by group."""
    return render(request, "portal/usage.html", {"page": usage_page(request, request.user)})


@require_safe
@people_managers_only
def weeks_csv(request: SignedInRequest) -> HttpResponse:
    """Download the figures by week."""
    lines = for_spreadsheets(csv_lines(WEEK_COLUMNS, week_rows(request.user)))
    return HttpResponse(lines, content_type=_CSV, headers=attachment("rostrum-weeks.csv"))


@require_safe
@people_managers_only
def groups_csv(request: SignedInRequest) -> HttpResponse:
    """Download the figures by group."""
    lines = for_spreadsheets(csv_lines(GROUP_COLUMNS, group_rows(request.user)))
    return HttpResponse(lines, content_type=_CSV, headers=attachment("rostrum-groups.csv"))
