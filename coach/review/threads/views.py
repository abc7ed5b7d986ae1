"""Views that add to a thread: the trainee's from the report, the coach's from the review page."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from coach.lib.web.http import SignedInRequest
from coach.rehearsals.selectors import own_rehearsals_for
from coach.review.access import reviewed_by
from coach.review.forms import written
from coach.review.threads.forms import MessageForm
from coach.review.threads.selectors import (
    Subject,
    is_read_by_owner,
    subject_for_coach,
    subject_for_owner,
)
from coach.review.threads.services import tick, write_message


@require_POST
@login_required
def of_owner(request: SignedInRequest, rehearsal_id: UUID, subject_id: UUID) -> HttpResponse:
    """Add the trainee's message or tick."""
    rehearsal = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    subject = subject_for_owner(request.user, rehearsal, subject_id)
    _add(request, subject, _("Sent. Your coach will be notified."))
    return redirect(f"{reverse('feedback:report', args=[rehearsal_id])}#thread-{subject_id}")


@require_POST
@login_required
def of_coach(request: SignedInRequest, rehearsal_id: UUID, subject_id: UUID) -> HttpResponse:
    """Add the coach's message or tick under a released card or note."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    subject = subject_for_coach(request.user, feedback, subject_id)
    if subject is not None and not is_read_by_owner(subject, feedback):
        raise Http404
    words = _("Sent. %(name)s will be notified.") % {"name": rehearsal.owner}
    _add(request, subject, words)
    return redirect(f"{reverse('review:desk', args=[rehearsal_id])}#thread-{subject_id}")


def _add(request: SignedInRequest, subject: Subject | None, words: str) -> None:
    """Carry out what the form asks for, and say what became of it. Raises Http404."""
    if subject is None:
        raise Http404
    wish = request.POST.get("wish", "")
    try:
        if wish in {"done", "reopen"}:
            tick(subject=subject, by=request.user, is_done=wish == "done")
        else:
            text = written(MessageForm(request.POST), "text")
            write_message(subject=subject, by=request.user, text=text)
            messages.success(request, words)
    except ValidationError as error:
        messages.error(request, error.messages[0])
