"""Forms and views of corrections on the review page; the panel is in `page`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from coach.feedback.corrections import (
    correct_word,
    corrections_for,
    strike_event,
    undo_correction,
)
from coach.feedback.models import Feedback
from coach.lib.web.http import SignedInRequest
from coach.rehearsals.models import Rehearsal
from coach.review.access import carry_out, reviewed_by, try_to_claim
from coach.review.desk.page import desk_page


class WordForm(forms.Form):
    """The form that replaces a recognised word."""

    start = forms.FloatField(min_value=0)
    before = forms.CharField(max_length=200, strip=False)
    after = forms.CharField(max_length=200, required=False)


class StrikeForm(forms.Form):
    """The form that removes a filler or look away; seconds of the media."""

    kind = forms.CharField(max_length=30)
    start = forms.FloatField(min_value=0)


@require_POST
@login_required
def strike(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Remove a false filler or look away."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    form = StrikeForm(request.POST)

    def act() -> None:
        strike_event(feedback=feedback, coach=request.user, **_read(form))

    return _answer(request, rehearsal, feedback, _carried_out(request, rehearsal, act))


@require_POST
@login_required
def correct(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Replace a word."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    form = WordForm(request.POST)

    def act() -> None:
        correct_word(feedback=feedback, coach=request.user, **_read(form))

    return _answer(request, rehearsal, feedback, _carried_out(request, rehearsal, act))


@require_POST
@login_required
def undo(request: SignedInRequest, rehearsal_id: UUID, correction_id: UUID) -> HttpResponse:
    """Undo a correction."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    correction = get_object_or_404(
        corrections_for(request.user), pk=correction_id, feedback=feedback
    )

    def act() -> None:
        undo_correction(correction=correction, coach=request.user)

    return _answer(request, rehearsal, feedback, _carried_out(request, rehearsal, act))


def _read(form: StrikeForm | WordForm) -> dict[str, Any]:
    if not form.is_valid():
        raise ValidationError(_("We could not read this. Please try again."))
    return form.cleaned_data


def _carried_out(request: SignedInRequest, rehearsal: Rehearsal, act: Callable[[], None]) -> str:
    """Claim the take and perform the action. Return an error message, or an empty string."""
    return try_to_claim(rehearsal, request.user) or carry_out(act)


def _answer(
    request: SignedInRequest, rehearsal: Rehearsal, feedback: Feedback, problem: str
) -> HttpResponse:
    """Return all changed parts for htmx; redirect to the page otherwise."""
    if not request.htmx:
        if problem:
            messages.error(request, problem)
        return redirect("review:desk", rehearsal.pk)
    page = desk_page(rehearsal, feedback, coach=request.user)
    context = {"page": page, "desk": page.desk, "corrections": page.corrections, "problem": problem}
    return render(request, "review/_corrected.html", context)
