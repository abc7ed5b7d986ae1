"""Time-coded notes at the desk: written, changed, removed, brought back."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from coach.feedback.models import Feedback, TimedNote
from coach.feedback.notes import (
    NoteWords,
    change_note,
    notes_for,
    remove_note,
    restore_note,
    write_note,
)
from coach.lib.forms import first_error
from coach.lib.http import SignedInRequest
from coach.rehearsals.models import Rehearsal
from coach.review.desk.notes import notes_panel
from coach.review.desk.unsent import forget_unsent
from coach.review.forms import NoteForm
from coach.review.gate import carry_out, reviewed_by, try_to_claim


@require_POST
@login_required
def add_note(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """A new note at a time of the recording."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    problem = _write(request, rehearsal, feedback, None)
    return _answer(request, rehearsal, feedback, problem)


@require_POST
@login_required
def edit_note(request: SignedInRequest, rehearsal_id: UUID, note_id: UUID) -> HttpResponse:
    """Other words, or another time."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    note = get_object_or_404(notes_for(request.user), pk=note_id, feedback=feedback)
    problem = _write(request, rehearsal, feedback, note)
    return _answer(request, rehearsal, feedback, problem)


def _write(
    request: SignedInRequest, rehearsal: Rehearsal, feedback: Feedback, note: TimedNote | None
) -> str:
    """Write it; the sentence to show where that was not possible."""
    form = NoteForm(request.POST)
    problem = try_to_claim(rehearsal, request.user)
    if problem:
        return problem
    if not form.is_valid():
        return first_error(form)
    words = NoteWords(**form.cleaned_data)
    if note is None:
        act, key = partial(write_note, feedback=feedback), "note"
    else:
        act, key = partial(change_note, note=note), f"note:{note.pk}"
    problem = carry_out(partial(act, coach=request.user, words=words))
    if not problem:
        forget_unsent(feedback=feedback, coach=request.user, form=key)
    return problem


@require_POST
@login_required
def take_note_out(request: SignedInRequest, rehearsal_id: UUID, note_id: UUID) -> HttpResponse:
    """Remove a note, or bring it back (`wish=restore`)."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    note = get_object_or_404(notes_for(request.user), pk=note_id, feedback=feedback)
    act = restore_note if request.POST.get("wish") == "restore" else remove_note
    problem = try_to_claim(rehearsal, request.user)
    problem = problem or carry_out(partial(act, note=note, coach=request.user))
    removed = "" if problem or act is restore_note else str(note.pk)
    return _answer(request, rehearsal, feedback, problem, removed=removed)


def _answer(
    request: SignedInRequest,
    rehearsal: Rehearsal,
    feedback: Feedback,
    problem: str,
    *,
    removed: str = "",
) -> HttpResponse:
    """The panel again for htmx, the whole page by redirect without it."""
    if not request.htmx:
        if problem:
            messages.error(request, problem)
        return redirect(f"{reverse('review:desk', args=[rehearsal.pk])}#notes")
    panel = notes_panel(rehearsal, feedback, can_write=True, problem=problem, removed=removed)
    return render(request, "review/_notes.html", {"notes": panel})
