"""Services for a coach's timed notes, which are drafts until the release."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.feedback.models import DeskAct, Feedback, TimedNote
from coach.feedback.selectors import drafts_for
from coach.feedback.services import open_draft
from coach.feedback.verdicts import ChangedMeanwhile, done_last, record_desk_act


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteWords:
    """A coach's note at a time in seconds of the media, optionally tagged with a quality."""

    text: str
    start: float
    end: float | None = None
    tag: str = ""


@transaction.atomic
def write_note(*, feedback: Feedback, coach: User, words: NoteWords) -> TimedNote:
    """Add a coach's note.

    Raises AlreadyReleased, and ValidationError for empty text or an invalid time.
    """
    draft = open_draft(feedback.pk)
    checked = _checked(words, draft.rehearsal.duration or 0.0)
    note = TimedNote.objects.create(
        feedback=draft,
        author=coach,
        author_name=str(coach),
        text=checked.text,
        start=checked.start,
        end=checked.end,
        tag=checked.tag,
    )
    _record(draft, coach, note, before={"is_removed": True})
    record_act(action="feedback.note_written", target=note, actor=coach, after=_as_logged(note))
    return note


@transaction.atomic
def change_note(
    *, note: TimedNote, coach: User, words: NoteWords, known: Collection[str] | None = None
) -> TimedNote:
    """Change the text or the time of a current note.

    A note removed in the meantime is restored. `known` has the hashes that the coach saw. Raises
    AlreadyReleased, ValidationError for an invalid time, and ChangedMeanwhile if the note has
    changed since.
    """
    draft = open_draft(note.feedback_id)
    checked = _checked(words, draft.rehearsal.duration or 0.0)
    held = TimedNote.objects.select_for_update().get(pk=note.pk)
    _check_known(draft, held, checked, known)
    before, was = _as_logged(held), _as_it_is(held)
    if held.removed_at is not None:
        was["is_removed"], held.removed_at = True, None
    held.text, held.start, held.end = checked.text, checked.start, checked.end
    held.tag, held.changed_at = checked.tag, timezone.now()
    held.save()
    _record(draft, coach, held, before=was)
    record_act(
        action="feedback.note_changed",
        target=held,
        actor=coach,
        before=before,
        after=_as_logged(held),
    )
    return held


@transaction.atomic
def remove_note(*, note: TimedNote, coach: User) -> None:
    """Mark a note as removed; its row stays, for undo. Raises AlreadyReleased."""
    draft = open_draft(note.feedback_id)
    if TimedNote.objects.filter(pk=note.pk, removed_at=None).update(removed_at=timezone.now()):
        _record(draft, coach, note, before={"is_removed": False})
        record_act(
            action="feedback.note_removed", target=note, actor=coach, before=_as_logged(note)
        )


@transaction.atomic
def restore_note(*, note: TimedNote, coach: User) -> None:
    """Undo the removal of a note. Raises AlreadyReleased."""
    draft = open_draft(note.feedback_id)
    if TimedNote.objects.filter(pk=note.pk, removed_at__isnull=False).update(removed_at=None):
        _record(draft, coach, note, before={"is_removed": True})
        record_act(
            action="feedback.note_restored", target=note, actor=coach, after=_as_logged(note)
        )


def take_note_back(act: DeskAct) -> None:
    """Restore a note to its state before an action; a new note is removed."""
    before = dict(act.before)
    is_removed = before.pop("is_removed", False)
    TimedNote.objects.filter(pk=act.after["note"]).update(
        **before, removed_at=timezone.now() if is_removed else None
    )


def _record(draft: Feedback, coach: User, note: TimedNote, *, before: dict[str, object]) -> None:
    record_desk_act(
        feedback=draft, coach=coach, kind="note", before=before, after={"note": str(note.pk)}
    )


def _check_known(
    draft: Feedback, note: TimedNote, typed: NoteWords, known: Collection[str] | None
) -> None:
    stands = mark_of(note)
    is_same = _as_it_is(note) == asdict(typed) and note.removed_at is None
    if known is None or stands in known or is_same:
        return
    of_note = draft.desk_acts.filter(kind="note", after__note=str(note.pk))
    raise ChangedMeanwhile("" if note.removed_at else note.text, done_last(of_note))


def mark_of(note: TimedNote) -> str:
    """Return a hash of a note's state, to detect a page that shows an older one."""
    told = json.dumps([*_as_it_is(note).values(), note.removed_at is not None])
    return sha256(told.encode()).hexdigest()[:16]


def _as_it_is(note: TimedNote) -> dict[str, object]:
    return {"text": note.text, "start": note.start, "end": note.end, "tag": note.tag}


def notes_for(coach: User) -> QuerySet[TimedNote]:
    """Return the notes on takes that were sent to this coach."""
    return TimedNote.objects.filter(feedback__in=drafts_for(coach)).select_related("feedback")


def standing_notes(feedback: Feedback) -> Sequence[TimedNote]:
    """Return the current notes of a version by time, as the coach sees them."""
    return list(feedback.notes.filter(removed_at=None))


def notes_for_reading(feedback: Feedback | None) -> Sequence[TimedNote]:
    """Return the notes for the trainee: none before the version is released."""
    if feedback is None or not feedback.is_released:
        return []
    return standing_notes(feedback)


def _checked(words: NoteWords, duration: float) -> NoteWords:
    """Return the note, clipped to the recording within half a second. Raises ValidationError."""
    text = words.text.strip()
    if not text:
        raise ValidationError(_("Write what you noticed."))
    if not 0 <= words.start <= duration + 0.5:
        raise ValidationError(_("Choose a moment within the recording."))
    end = None if words.end is None else min(words.end, duration)
    if end is not None and end <= words.start:
        raise ValidationError(_("The note must end after it starts."))
    return NoteWords(text=text, start=min(words.start, duration), end=end, tag=words.tag)


def _as_logged(note: TimedNote) -> dict[str, object]:
    """Return values for the audit log, without words, because the log outlives the take."""
    return {
        "at": round(note.start, 2),
        "to": note.end,
        "tag": note.tag,
        "characters": len(note.text),
    }
