"""Views to correct one's own transcript, and to download a transcript."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from analysis.results import Report
from coach.accounts.models import User
from coach.feedback.corrected_reports import report_read_by
from coach.feedback.corrections import (
    correct_own_word,
    mark_meant_pause,
    mark_own_um,
    own_corrections_for,
    strike_own_event,
    undo_own_correction,
)
from coach.feedback.models import Feedback, Run
from coach.feedback.pages.transcript import captions, plain_text
from coach.feedback.selectors import feedback_for_owner, is_held_back, latest_report_run
from coach.feedback.transcripts.forms import EventForm, PlaceForm, WordForm
from coach.feedback.transcripts.page import transcript_page
from coach.lib.web.http import SignedInRequest, attachment
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for, readable_rehearsals_for
from coach.rehearsals.services import record_glance


def _own(user: User, rehearsal_id: UUID) -> tuple[Rehearsal, Run, Feedback]:
    """Return an own take with what its owner reads. Raises Http404 while they read nothing."""
    rehearsal = get_object_or_404(own_rehearsals_for(user), pk=rehearsal_id)
    run, feedback = latest_report_run(rehearsal), feedback_for_owner(rehearsal)
    if run is None or feedback is None:
        raise Http404
    return rehearsal, run, feedback


@require_GET
@login_required
def transcript(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Show the owner's transcript, or for htmx the menu of one word or pause."""
    rehearsal, run, feedback = _own(request.user, rehearsal_id)
    form = PlaceForm({"at": request.GET.get("at", "").lstrip("p")})
    is_pause = request.GET.get("at", "").startswith("p")
    at = form.cleaned_data["at"] if form.is_valid() else None
    page = transcript_page(rehearsal, run, feedback, at=at, is_pause=is_pause)
    template = "feedback/_word_menu.html" if request.htmx else "feedback/transcript.html"
    return render(request, template, {"page": page, "menu": page.menu})


@require_POST
@login_required
def replace_word(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Replace a word; an empty one was not said."""
    form = WordForm(request.POST)
    return _changed(
        request,
        rehearsal_id,
        lambda feedback: correct_own_word(feedback=feedback, owner=request.user, **_read(form)),
    )


@require_POST
@login_required
def mark_um(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Mark a missed um after a word."""
    form = WordForm(request.POST)

    def act(feedback: Feedback) -> None:
        word = _read(form)
        mark_own_um(
            feedback=feedback, owner=request.user, start=word["start"], before=word["before"]
        )

    return _changed(request, rehearsal_id, act)


@require_POST
@login_required
def strike(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Remove a false filler."""
    form = EventForm(request.POST)
    return _changed(
        request,
        rehearsal_id,
        lambda feedback: strike_own_event(feedback=feedback, owner=request.user, **_read(form)),
    )


@require_POST
@login_required
def mean_pause(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Mark a pause as meant."""
    form = PlaceForm(request.POST)
    return _changed(
        request,
        rehearsal_id,
        lambda feedback: mark_meant_pause(
            feedback=feedback, owner=request.user, start=_read(form)["at"]
        ),
    )


@require_POST
@login_required
def undo(request: SignedInRequest, rehearsal_id: UUID, correction_id: UUID) -> HttpResponse:
    """Undo an own correction."""
    own = own_corrections_for(request.user).filter(feedback__rehearsal=rehearsal_id)
    correction = get_object_or_404(own, pk=correction_id)
    return _changed(
        request,
        rehearsal_id,
        lambda _feedback: undo_own_correction(correction=correction, owner=request.user),
    )


def _read(form: forms.Form) -> dict[str, Any]:
    if not form.is_valid():
        raise ValidationError(_("We could not read this. Please try again."))
    return form.cleaned_data


def _changed(
    request: SignedInRequest, rehearsal_id: UUID, act: Callable[[Feedback], object]
) -> HttpResponse:
    """Act, then return the changed parts for htmx, or redirect to the page."""
    rehearsal, run, feedback = _own(request.user, rehearsal_id)
    said, problem = _("Saved. The report was recalculated."), ""
    try:
        act(feedback)
    except ValidationError as error:
        said, problem = "", error.messages[0]
    if request.htmx:
        page = transcript_page(rehearsal, run, feedback, said=said, problem=problem)
        return render(request, "feedback/_transcript_corrected.html", {"page": page})
    if problem:
        messages.error(request, problem)
    else:
        messages.success(request, said)
    return redirect("feedback:transcript", rehearsal_id)


@require_GET
@login_required
def download_text(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Download the transcript as plain text."""
    return _download(request, rehearsal_id, plain_text, "txt", "text/plain")


@require_GET
@login_required
def download_captions(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Download the transcript as WebVTT."""
    return _download(request, rehearsal_id, captions, "vtt", "text/vtt")


def _download(
    request: SignedInRequest,
    rehearsal_id: UUID,
    write: Callable[[Report], str],
    suffix: str,
    content_type: str,
) -> HttpResponse:
    """Return the corrected transcript as a file, for users who may read the report.

    Raises Http404 while a coach reads it first, for the owner.
    """
    rehearsal = get_object_or_404(readable_rehearsals_for(request.user), pk=rehearsal_id)
    run = latest_report_run(rehearsal)
    is_own = rehearsal.owner_id == request.user.pk
    if run is None or (is_own and is_held_back(rehearsal)):
        raise Http404
    record_glance(rehearsal=rehearsal, viewer=request.user)
    text = write(report_read_by(request.user, rehearsal, run))
    name = f"{slugify(rehearsal.title) or 'rehearsal'}.{suffix}"
    return HttpResponse(
        text, content_type=f"{content_type}; charset=utf-8", headers=attachment(name)
    )
