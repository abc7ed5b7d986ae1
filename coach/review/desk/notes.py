"""Form, panel and views of timed notes on the review page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from coach.feedback.forms import ClockField
from coach.feedback.models import Feedback, TimedNote
from coach.feedback.notes import (
    NoteWords,
    change_note,
    mark_of,
    notes_for,
    remove_note,
    restore_note,
    standing_notes,
    write_note,
)
from coach.feedback.pages.coach_feedback import ReadNote, note_words, notes_lane
from coach.feedback.pages.timeline import Lane
from coach.feedback.verdicts import ChangedMeanwhile
from coach.lib.pages.forms import first_error
from coach.lib.pages.plain_text import PlainTextField
from coach.lib.web.http import SignedInRequest
from coach.lib.words.clock import clock
from coach.rehearsals.models import Goal, Rehearsal
from coach.review.access import carry_out, reviewed_by, try_to_claim
from coach.review.desk.drafts import delete_draft
from coach.review.items.words import changed_words
from coach.review.threads.page import ShownThread, threads_for_coach


class NoteForm(forms.Form):
    """The form for a timed note; `*_exact` is the time within the second."""

    text = PlainTextField(
        max_length=2000, error_messages={"required": _("Write what you noticed.")}
    )
    tag = forms.ChoiceField(choices=[("", ""), *Goal.choices], required=False)
    start = ClockField(max_length=12, error_messages={"required": _("Enter where it begins.")})
    end = ClockField(max_length=12, required=False)
    start_exact = forms.FloatField(required=False, min_value=0)
    end_exact = forms.FloatField(required=False, min_value=0)
    seen = forms.CharField(required=False, max_length=16)
    over = forms.CharField(required=False, max_length=16)

    def known(self) -> list[str] | None:
        """Return the note's states that the coach has seen, or None if the page sent none."""
        known = [self.cleaned_data[name] for name in ("seen", "over")]
        return [each for each in known if each] or None

    def words(self) -> NoteWords:
        """Return the note's text, times and tag."""
        names = ("text", "start", "end", "tag")
        return NoteWords(**{name: self.cleaned_data[name] for name in names})

    def clean(self) -> dict[str, Any]:
        """Return the data, with the exact time if the typed one is in the same second."""
        data = super().clean() or self.cleaned_data
        for name in ("start", "end"):
            typed, exact = data.get(name), data.pop(f"{name}_exact", None)
            if typed is not None and exact is not None and clock(typed) == clock(exact):
                data[name] = exact
        return data


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskNote:
    """A note with its form: as the trainee will read it, and as it can be changed."""

    id: str
    read: ReadNote
    text: str
    """The text in the form, like tag and times."""
    tag: str
    start: str
    """The typed time: 1:05."""
    end: str
    start_exact: float | str
    end_exact: float | str
    """The exact time; the typed one has whole seconds only."""
    seen: str
    """A hash of the current state, so that an older page overwrites nothing."""
    problem: str
    """The error of its form, which still has the typed values."""
    change_url: str
    remove_url: str
    thread: ShownThread


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteConflict:
    """A note changed or removed in the meantime, with the typed text."""

    words: str
    url: str
    fields: tuple[tuple[str, str], ...]
    """The submitted fields, to send them again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesPanel:
    """The notes of a version, and the form for a new one."""

    rehearsal_id: str
    notes: tuple[DeskNote, ...]
    lane: tuple[Lane, ...]
    can_write: bool
    tags: tuple[tuple[str, str], ...]
    problem: str = ""
    conflict: NoteConflict | None = None
    removed_url: str = ""
    """The URL that restores the note just removed."""


def notes_panel(
    rehearsal: Rehearsal,
    feedback: Feedback,
    *,
    can_write: bool,
    problem: str = "",
    conflict: NoteConflict | None = None,
    removed: str = "",
    refused: Mapping[str, str] | None = None,
) -> NotesPanel:
    """Return the current notes; the coach who has the take can change colleagues' notes.

    `removed` is the id of a note just removed, which can be restored; `refused` is
    a rejected form, with the id of its note.
    """
    notes = standing_notes(feedback)
    threads = threads_for_coach(rehearsal, feedback, notes)
    return NotesPanel(
        rehearsal_id=str(rehearsal.pk),
        notes=tuple(
            _desk_note(rehearsal, note, refused or {}, problem, threads[note.pk]) for note in notes
        ),
        lane=notes_lane(notes, rehearsal.duration or 0.0),
        can_write=can_write and feedback.state == Feedback.State.DRAFT,
        tags=tuple((code, str(label)) for code, label in Goal.choices),
        problem="" if refused else problem,
        conflict=conflict,
        removed_url=reverse("review:remove_note", args=[rehearsal.pk, removed]) if removed else "",
    )


def _desk_note(
    rehearsal: Rehearsal,
    note: TimedNote,
    refused: Mapping[str, str],
    problem: str,
    thread: ShownThread,
) -> DeskNote:
    typed = refused if refused.get("note") == str(note.pk) else {}
    return DeskNote(
        id=str(note.pk),
        read=note_words(note),
        text=typed.get("text", note.text),
        tag=typed.get("tag", note.tag),
        start=typed.get("start", clock(note.start)),
        end=typed.get("end", "" if note.end is None else clock(note.end)),
        start_exact=typed.get("start_exact", note.start),
        end_exact=typed.get("end_exact", "" if note.end is None else note.end),
        seen=typed.get("seen", mark_of(note)),
        problem=problem if typed else "",
        change_url=reverse("review:change_note", args=[rehearsal.pk, note.pk]),
        remove_url=reverse("review:remove_note", args=[rehearsal.pk, note.pk]),
        thread=thread,
    )


@require_POST
@login_required
def add_note(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Add a note at a time of the recording."""
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
    """Change text or time of a note; changes that the page has not seen are not overwritten."""
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
    """Return why no note can be saved, or an empty string."""
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
    """Remove a note, or restore it (`wish=restore`)."""
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
    """Return the panel for htmx; redirect to the page without it."""
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
