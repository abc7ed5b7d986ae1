"""The panel of timed notes on the review page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse

from coach.feedback.models import Feedback, TimedNote
from coach.feedback.notes import mark_of, standing_notes
from coach.feedback.pages.coach_feedback import ReadNote, note_words, notes_lane
from coach.feedback.pages.timeline import Lane
from coach.lib.words.clock import clock
from coach.rehearsals.models import Goal, Rehearsal


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskNote:
    """A note with its form: as the trainee will read it, and as it can be changed."""

    id: str
    read: ReadNote
    text: str
    """The text in the form, as are tag and times."""
    tag: str
    start: str
    """As it is typed: 1:05."""
    end: str
    start_exact: float | str
    end_exact: float | str
    """The exact time; the typed one has whole seconds only."""
    seen: str
    """A mark of the current state, so that an older page overwrites nothing."""
    problem: str
    """The error of its form, which still has what was typed."""
    change_url: str
    remove_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteConflict:
    """A note that was changed or removed in the meantime, with what was typed."""

    words: str
    url: str
    fields: tuple[tuple[str, str], ...]
    """The submitted form, to send it again."""


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
    """The address that restores the note just removed."""


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

    `removed` is the key of a note that was removed just now, and can be brought back; `refused` is
    a form that was not taken, with the key of its note.
    """
    notes = standing_notes(feedback)
    return NotesPanel(
        rehearsal_id=str(rehearsal.pk),
        notes=tuple(_desk_note(rehearsal, note, refused or {}, problem) for note in notes),
        lane=notes_lane(notes, rehearsal.duration or 0.0),
        can_write=can_write and feedback.state == Feedback.State.DRAFT,
        tags=tuple((code, str(label)) for code, label in Goal.choices),
        problem="" if refused else problem,
        conflict=conflict,
        removed_url=reverse("review:remove_note", args=[rehearsal.pk, removed]) if removed else "",
    )


def _desk_note(
    rehearsal: Rehearsal, note: TimedNote, refused: Mapping[str, str], problem: str
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
    )
