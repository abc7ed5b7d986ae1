"""Time-coded notes at the desk: written, changed, removed, brought back."""

from __future__ import annotations

from collections.abc import Mapping
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
    change_note,
    mark_of,
    notes_for,
    remove_note,
    restore_note,
    write_note,
)
from coach.feedback.verdicts import ChangedMeanwhile
from coach.lib.pages.forms import first_error
from coach.lib.web.http import SignedInRequest
from coach.rehearsals.models import Rehearsal
from coach.review.access import carry_out, reviewed_by, try_to_claim
from coach.review.desk.drafts import delete_draft
from coach.review.desk.notes import NoteConflict, notes_panel
from coach.review.forms import NoteForm
from coach.review.items.words import changed_words


@require_POST
@login_required
def add_note(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """A new note at a time of the recording."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    form = NoteForm(request.POST)
    problem = _obstacle(request, rehearsal, form)
    if not problem:
        act = partial(write_note, feedback=feedback, coach=request.user, words=form.words())
        problem = carry_out(act)
    if not problem:
        delete_draft(feedback=feedback, coach=request.user, form="note")
    return _answer(request, rehearsal, feedback, problem)


@require_POST
@login_required
def edit_note(request: SignedInRequest, rehearsal_id: UUID, note_id: UUID) -> HttpResponse:
    """Other words, or another time; what an older page does not know of is not overwritten."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    note = get_object_or_404(notes_for(request.user), pk=note_id, feedback=feedback)
    form = NoteForm(request.POST)
    problem = _obstacle(request, rehearsal, form)
    if not problem:
        words, known = form.words(), form.known()
        act = partial(change_note, note=note, coach=request.user, words=words, known=known)
        try:
            problem = carry_out(act)
        except ChangedMeanwhile as changed:
            conflict = _conflict(request, note, changed, words.text)
            return _answer(request, rehearsal, feedback, conflict=conflict)
    if problem:
        return _answer(request, rehearsal, feedback, problem, refused=_typed(request, note))
    delete_draft(feedback=feedback, coach=request.user, form=f"note:{note.pk}")
    return _answer(request, rehearsal, feedback)


def _obstacle(request: SignedInRequest, rehearsal: Rehearsal, form: NoteForm) -> str:
    """Why nothing can be written; empty where it can."""
    return try_to_claim(rehearsal, request.user) or ("" if form.is_valid() else first_error(form))


def _typed(request: SignedInRequest, note: TimedNote) -> dict[str, str]:
    fields = ("text", "start", "start_exact", "end", "end_exact", "tag", "seen")
    return {name: request.POST[name] for name in fields if name in request.POST} | {
        "note": str(note.pk)
    }


def _conflict(
    request: SignedInRequest, note: TimedNote, changed: ChangedMeanwhile, typed: str
) -> NoteConflict:
    note.refresh_from_db()
    fields = _typed(request, note) | {"over": mark_of(note)}
    return NoteConflict(
        words=changed_words(changed, request.user, typed),
        url=reverse("review:change_note", args=[note.feedback.rehearsal_id, note.pk]),
        fields=tuple((name, value) for name, value in fields.items() if name != "note"),
    )


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
    problem: str = "",
    *,
    conflict: NoteConflict | None = None,
    removed: str = "",
    refused: Mapping[str, str] | None = None,
) -> HttpResponse:
    """The panel again for htmx, the whole page by redirect without it."""
    if not request.htmx:
        if problem or conflict:
            messages.error(request, problem or (conflict.words if conflict else ""))
        return redirect(f"{reverse('review:desk', args=[rehearsal.pk])}#notes")
    panel = notes_panel(
        rehearsal,
        feedback,
        can_write=True,
        problem=problem,
        conflict=conflict,
        removed=removed,
        refused=refused,
    )
    return render(request, "review/_notes.html", {"notes": panel})
