"""Views of the agenda and the notes of live sessions."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from coach.lib.web.http import SignedInRequest
from coach.practice.coaching_sessions.forms import SessionForm
from coach.practice.coaching_sessions.page import agenda_for
from coach.practice.coaching_sessions.selectors import coaching_sessions_for, own_notes_for
from coach.practice.coaching_sessions.services import (
    change_session,
    delete_session,
    keep_session,
)
from coach.practice.plan.selectors import planned_takes_for


@require_http_methods(["GET", "POST"])
@login_required
def agenda(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show the agenda for a session with a person who sent this coach a take, or keep notes."""
    take = get_object_or_404(planned_takes_for(request.user), pk=rehearsal_id)
    form = SessionForm(request.POST or None, initial={"held_on": timezone.localdate()})
    if request.method == "POST" and form.is_valid():
        keep_session(person=take.owner, coach=request.user, **form.cleaned_data)
        messages.success(request, _("Notes kept. The trainee finds them with their plan."))
        return redirect("practice:agenda", rehearsal_id)
    page = agenda_for(request.user, take)
    return render(request, "practice/agenda.html", {"page": page, "form": form})


@require_safe
@login_required
def sessions(request: SignedInRequest) -> HttpResponse:
    """Show the notes of the user's own sessions, as a trainee or as a coach."""
    found = coaching_sessions_for(request.user).select_related("person")
    return render(request, "practice/sessions.html", {"sessions": found})


@require_http_methods(["GET", "POST"])
@login_required
def session(request: SignedInRequest, session_id: UUID) -> HttpResponse:
    """Change or delete the notes of a session that this coach wrote."""
    found = get_object_or_404(own_notes_for(request.user), pk=session_id)
    if request.method == "POST" and "delete" in request.POST:
        delete_session(session=found)
        messages.success(request, _("Notes deleted."))
        return redirect("practice:sessions")
    initial = {"held_on": found.held_on, "notes": found.notes}
    form = SessionForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        change_session(session=found, **form.cleaned_data)
        messages.success(request, _("Notes changed."))
        return redirect("practice:sessions")
    return render(request, "practice/session.html", {"session": found, "form": form})
