"""The pages of the rule studio."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from coach.curation.access import curators_only
from coach.lib.http import SignedInRequest


@require_GET
@curators_only
def rules(request: SignedInRequest) -> HttpResponse:
    """Every rule of the working copy."""
    return render(request, "curation/rules.html")
