"""Views of a person's own sessions."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from coach.accounts.sessions.selectors import device_sessions_for
from coach.accounts.sessions.services import end_session
from coach.lib.web.http import SignedInRequest


@require_safe
@login_required
def session_list(request: SignedInRequest) -> HttpResponse:
    """Show where the person is signed in."""
    context = {
        "sessions": device_sessions_for(request.user),
        "here": request.session.session_key,
    }
    return render(request, "sessions/list.html", context)


@require_POST
@login_required
def end(request: SignedInRequest, session_id: UUID) -> HttpResponse:
    """Sign out of one other session."""
    own = {each.pk: each for each in device_sessions_for(request.user)}
    session = own.get(session_id)
    if session is None or session.session_id == request.session.session_key:
        raise Http404
    end_session(session=session, actor=request.user)
    messages.success(request, _("That session is signed out."))
    return redirect("session_list")
