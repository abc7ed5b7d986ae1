"""Views for opening a recording in an emergency, playing it, and the list of all openings."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coach.accounts.access import administrators_only
from coach.accounts.freshness import password_now
from coach.accounts.models import User
from coach.lib.web.http import SignedInRequest
from coach.portal.emergency.forms import EmergencyForm, OwnerForm
from coach.portal.emergency.services import close_recording, open_recording
from coach.rehearsals.selectors import active_emergencies_for, emergencies_for

_LISTED = 100
"""Openings on the page; the audit log has all (rule of thumb)."""


@require_safe
@administrators_only
def opened(request: SignedInRequest) -> HttpResponse:
    """Show all openings by administrators, and ask whose recording it is about."""
    _must_be_allowed()
    owner = OwnerForm(request.GET if "owner" in request.GET else None)
    if owner.is_valid():
        return redirect("portal:emergency_of", person_id=owner.cleaned_data["owner"].pk)
    context = {
        "owner": owner,
        "openings": emergencies_for(request.user)[:_LISTED],
        "own": {each.pk for each in active_emergencies_for(request.user)},
    }
    return render(request, "portal/emergency/opened.html", context)


@require_http_methods(["GET", "POST"])
@administrators_only
@password_now
def open_one(request: SignedInRequest, person_id: int) -> HttpResponse:
    """Open one recording of a person, after the password, with a reason."""
    _must_be_allowed()
    owner = get_object_or_404(User, pk=person_id, trial_ends_at=None)
    form = EmergencyForm(request.POST or None, owner=owner, reader=request.user)
    if form.is_valid():
        said = form.cleaned_data
        access = open_recording(rehearsal=said["take"], actor=request.user, reason=said["reason"])
        return redirect("portal:emergency_play", access_id=access.pk)
    context = {"owner": owner, "form": form}
    status = 422 if form.errors else 200
    return render(request, "portal/emergency/open.html", context, status=status)


@require_safe
@administrators_only
def play(request: SignedInRequest, access_id: UUID) -> HttpResponse:
    """Show the player until the hour is over."""
    access = get_object_or_404(active_emergencies_for(request.user), pk=access_id)
    return render(request, "portal/emergency/play.html", {"access": access})


@require_POST
@administrators_only
def close(request: SignedInRequest, access_id: UUID) -> HttpResponse:
    """End one's own access before the hour is over."""
    access = get_object_or_404(active_emergencies_for(request.user), pk=access_id)
    close_recording(access=access, actor=request.user)
    messages.success(request, _("Closed. You can no longer play this recording."))
    return redirect("portal:emergency")


def _must_be_allowed() -> None:
    if not settings.EMERGENCY_ACCESS:
        raise Http404
