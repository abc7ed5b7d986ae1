"""View of a read-only look at a take."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from coach.feedback.selectors import latest_report_run
from coach.lib.web.http import SignedInRequest
from coach.rehearsals.services import record_viewing
from coach.review.look.page import look_page
from coach.review.selectors import takes_to_judge_for


@require_GET
@login_required
def look(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show the recording and the transcript of a take, and claim nothing."""
    rehearsal = get_object_or_404(takes_to_judge_for(request.user), pk=rehearsal_id)
    run = latest_report_run(rehearsal)
    if run is None:
        raise Http404
    record_viewing(rehearsal=rehearsal, viewer=request.user, what="look")
    page = look_page(rehearsal, run, coach=request.user)
    return render(request, "review/look.html", {"page": page})
