"""Puts the panel of time-coded notes together."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from coach.feedback.models import Feedback, TimedNote
from coach.feedback.notes import standing_notes
from coach.feedback.pages.notes import note_words, notes_lane
from coach.feedback.pages.values import Lane, ReadNote
from coach.lib.clock import clock
from coach.rehearsals.models import Goal, Rehearsal


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskNote:
    """A note as its coach has it: as it will be read, and what can be done with it."""

    id: str
    read: ReadNote
    tag: str
    start: str
    """As it is typed: 1:05."""
    end: str
    start_seconds: float
    end_seconds: float | None
    """As it was marked: what is typed says whole seconds only."""
    change_url: str
    remove_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesPanel:
    """The notes of one version, and the form for another one."""

    rehearsal_id: str
    notes: tuple[DeskNote, ...]
    lane: tuple[Lane, ...]
    can_write: bool
    tags: tuple[tuple[str, str], ...]
    problem: str = ""
    removed_url: str = ""
    """Brings back the note that was removed just now."""


def notes_panel(
    rehearsal: Rehearsal,
    feedback: Feedback,
    *,
    can_write: bool,
    problem: str = "",
    removed: str = "",
) -> NotesPanel:
    """The notes as they stand; those of colleagues can be changed by whoever has the take.

    `removed` is the key of a note that was removed just now, and can be brought back.
    """
    notes = standing_notes(feedback)
    return NotesPanel(
        rehearsal_id=str(rehearsal.pk),
        notes=tuple(_desk_note(rehearsal, note) for note in notes),
        lane=notes_lane(notes, rehearsal.duration or 0.0),
        can_write=can_write and feedback.state == Feedback.State.DRAFT,
        tags=tuple((code, str(label)) for code, label in Goal.choices),
        problem=problem,
        removed_url=reverse("review:remove_note", args=[rehearsal.pk, removed]) if removed else "",
    )


def _desk_note(rehearsal: Rehearsal, note: TimedNote) -> DeskNote:
    return DeskNote(
        id=str(note.pk),
        read=note_words(note),
        tag=note.tag,
        start=clock(note.start),
        end="" if note.end is None else clock(note.end),
        start_seconds=note.start,
        end_seconds=note.end,
        change_url=reverse("review:change_note", args=[rehearsal.pk, note.pk]),
        remove_url=reverse("review:remove_note", args=[rehearsal.pk, note.pk]),
    )
