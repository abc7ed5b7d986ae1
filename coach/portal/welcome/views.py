"""View of the welcome."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from coach.accounts.access import trainees_only
from coach.lib.web.http import SignedInRequest
from coach.portal.welcome.services import note_welcomed
from coach.uploads.views import with_devices


@require_safe
@trainees_only
def welcome(request: SignedInRequest) -> HttpResponse:
    """Show the welcome; from then on the home page no longer leads to it."""
    note_welcomed(user=request.user)
    return with_devices(render(request, "portal/welcome/welcome.html"))
