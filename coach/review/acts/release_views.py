"""From the desk to the trainee: what will be read, the release, and what can follow it."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from coach.feedback.releases import (
    TAKE_BACK_FOR,
    begin_correction,
    drop_correction,
    release_feedback,
    retract_feedback,
    take_release_back,
)
from coach.feedback.services import AlreadyReleased
from coach.lib.web.http import SignedInRequest
from coach.review.access import reviewed_by, try_to_claim
from coach.review.desk.history import earlier_takes
from coach.review.desk.summary import summary_page
from coach.review.forms import RetractForm, written
from coach.review.second.first_opinions import second_obstacle
from coach.review.services import finish_review
from coach.review.team.timed import counts_item_times


@require_GET
@login_required
def summary(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Exactly what the trainee will read, with the last button."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    page = summary_page(rehearsal, feedback, coach=request.user)
    template = "review/_summary.html" if request.htmx else "review/summary.html"
    return render(request, template, {"page": page})


@require_GET
@login_required
def takes(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """The trainee's earlier takes, and what became of what they worked on."""
    rehearsal, _feedback = reviewed_by(request.user, rehearsal_id)
    takes = earlier_takes(rehearsal, coach=request.user)
    template = "review/_takes.html" if request.htmx else "review/takes.html"
    return render(request, template, {"takes": takes, "rehearsal": rehearsal})


@require_POST
@login_required
@counts_item_times
def release(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Hand the feedback to the trainee, in half a minute."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    problem = try_to_claim(rehearsal, request.user) or second_obstacle(
        feedback=feedback, coach=request.user
    )
    if not problem:
        try:
            release_feedback(feedback=feedback, coach=request.user, leaves_in=TAKE_BACK_FOR)
        except ValidationError as error:
            problem = error.messages[0]
        except AlreadyReleased:
            problem = _("This feedback has already been released.")
    if problem:
        messages.error(request, problem)
        return redirect("review:desk", rehearsal_id)
    finish_review(rehearsal=rehearsal, coach=request.user)
    return redirect("review:queue")


@require_POST
@login_required
def take_back(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Before it has left, the draft is open again."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    if take_release_back(feedback=feedback, coach=request.user):
        try_to_claim(rehearsal, request.user)
        messages.success(
            request, _("Release undone. The trainee was not notified, and you can continue.")
        )
    else:
        messages.error(request, _("The feedback has already been sent. You can still correct it."))
    return redirect("review:desk", rehearsal_id)


@require_POST
@login_required
def correct(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Begin a new version of what was released."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    problem = try_to_claim(rehearsal, request.user)
    if not problem:
        try:
            begin_correction(feedback=feedback, coach=request.user)
        except ValidationError as error:
            problem = error.messages[0]
    if problem:
        messages.error(request, problem)
    return redirect("review:desk", rehearsal_id)


@require_POST
@login_required
def drop(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Throw a correction away that was begun; what was released stays."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    problem = try_to_claim(rehearsal, request.user)
    if not problem and drop_correction(feedback=feedback, coach=request.user):
        finish_review(rehearsal=rehearsal, coach=request.user)
        messages.success(request, _("Released feedback was not changed."))
    elif problem:
        messages.error(request, problem)
    return redirect("review:desk", rehearsal_id)


@require_POST
@login_required
def retract(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Take released feedback away again, where the group's policy allows it."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    form = RetractForm(request.POST)
    problem = try_to_claim(rehearsal, request.user)
    if not problem:
        try:
            why = written(form, "why")
            retract_feedback(feedback=feedback, coach=request.user, why=why)
        except ValidationError as error:
            problem = error.messages[0]
        except AlreadyReleased:
            problem = _("This was changed in the meantime. Please check it again.")
    if problem:
        messages.error(request, problem)
    else:
        messages.success(request, _("Retracted. A new draft is open here."))
    return redirect("review:desk", rehearsal_id)
