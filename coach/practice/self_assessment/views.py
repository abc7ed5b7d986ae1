"""Views for the self-assessment before a report, and for sharing it."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from coach.feedback.pages.about_take import facts_of, player_for
from coach.feedback.pages.analysing import report_after_waiting
from coach.feedback.reports import played_in
from coach.feedback.selectors import latest_report_run
from coach.lib.web.http import SignedInRequest
from coach.practice.models import SelfAssessment
from coach.practice.self_assessment.forms import SelfAssessmentForm
from coach.practice.self_assessment.parts import waiting_values
from coach.practice.self_assessment.selectors import own_assessment
from coach.practice.self_assessment.services import (
    assess_oneself,
    share_assessment,
    skip_assessment,
)
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for


@require_http_methods(["GET", "POST"])
@login_required
def self_assess(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Ask the questions or skip them, before the report or during the analysis."""
    take = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    # An answer counts only before the cards are seen.
    if own_assessment(take) is not None or take.opened_at is not None:
        return _continue(request, take)
    if request.POST.get("wish") == "skip":
        skip_assessment(take=take)
        return _continue(request, take)
    form = SelfAssessmentForm(request.POST or None)
    if form.is_valid() and _is_kept(take, form):
        return _continue(request, take)
    if request.htmx:
        context = {"part": {**waiting_values(take), "form": form}}
        return render(request, "practice/_ask_oneself.html", context)
    if latest_report_run(take) is None:
        return redirect("feedback:analysing", rehearsal_id)
    return _page(request, take, form)


def _continue(request: SignedInRequest, take: Rehearsal) -> HttpResponse:
    """Go to the report, or say on the waiting page that the answers are saved."""
    if not request.htmx:
        return redirect("feedback:report", take.pk)
    if latest_report_run(take) is not None:
        return HttpResponseClientRedirect(report_after_waiting(take.pk))
    said = own_assessment(take)
    is_answered = said is not None and said.state == SelfAssessment.State.ANSWERED
    return render(request, "practice/_asked_oneself.html", {"is_answered": is_answered})


def _is_kept(take: Rehearsal, form: SelfAssessmentForm) -> bool:
    if not form.is_filled_in:
        skip_assessment(take=take)
        return True
    try:
        assess_oneself(take=take, thoughts=form.thoughts(), moments=form.moments())
    except ValidationError as error:
        form.add_error(None, error)
        return False
    return True


def _page(request: SignedInRequest, take: Rehearsal, form: SelfAssessmentForm) -> HttpResponse:
    run = latest_report_run(take)
    player = player_for(take, played_in(run)) if run else None
    context = {"take": take, "form": form, "player": player, "facts": facts_of(take)}
    status = 422 if form.errors else 200
    return render(request, "practice/self_assess.html", context, status=status)


@require_POST
@login_required
def share_self(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Share a self-assessment with coaches, or stop sharing it."""
    take = get_object_or_404(own_rehearsals_for(request.user), pk=rehearsal_id)
    share_assessment(take=take, coach_may_read=request.POST.get("wish") == "share")
    return redirect("feedback:report", rehearsal_id)
