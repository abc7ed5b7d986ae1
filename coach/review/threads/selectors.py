"""Queries about threads, and about the cards and notes that one can write under."""

from __future__ import annotations

from uuid import UUID

from coach.accounts.models import User
from coach.feedback.items import items_for_reading
from coach.feedback.models import Feedback, Item, TimedNote
from coach.feedback.notes import notes_for_reading, standing_notes
from coach.feedback.selectors import feedback_for_owner, items_for
from coach.rehearsals.models import Rehearsal
from coach.review.threads.models import ThreadEntry

Subject = Item | TimedNote
Entries = dict[UUID, list[ThreadEntry]]
"""The entries of a take by the item or note that they are about, in its newest version."""


def subject_for_owner(owner: User, rehearsal: Rehearsal, key: UUID) -> Subject | None:
    """Return the card or note with this key in the owner's released feedback, or None."""
    feedback = feedback_for_owner(rehearsal)
    if rehearsal.owner_id != owner.pk or feedback is None or not feedback.is_released:
        return None
    items: list[Subject] = [each.item for each in items_for_reading(feedback)]
    return next((each for each in [*items, *notes_for_reading(feedback)] if each.pk == key), None)


def subject_for_coach(coach: User, feedback: Feedback, key: UUID) -> Subject | None:
    """Return the card or note with this key in a version that the coach reviews, or None."""
    item = items_for(coach).filter(pk=key, feedback=feedback).first()
    if item is not None:
        return item
    return next((each for each in standing_notes(feedback) if each.pk == key), None)


def is_read_by_owner(subject: Subject, feedback: Feedback) -> bool:
    """Return whether the owner has read this card or note, in this version or a former one."""
    return feedback.state != Feedback.State.DRAFT or subject.former_id is not None


def entries_on(rehearsal: Rehearsal) -> Entries:
    """Return the entries of a take under each version of their card or note.

    A corrected version has cards and notes of its own, which continue the former ones.
    """
    rows = list(ThreadEntry.objects.filter(rehearsal=rehearsal))
    if not rows:
        return {}
    former = _former(rehearsal)
    by_root: Entries = {}
    for row in rows:
        by_root.setdefault(_root(former, row.item_id or row.note_id), []).append(row)
    return {key: by_root[root] for key in former if (root := _root(former, key)) in by_root}


def _former(rehearsal: Rehearsal) -> dict[UUID, UUID | None]:
    items = Item.objects.filter(feedback__rehearsal=rehearsal).values_list("pk", "former")
    notes = TimedNote.objects.filter(feedback__rehearsal=rehearsal).values_list("pk", "former")
    return {**dict(items), **dict(notes)}


def _root(former: dict[UUID, UUID | None], key: UUID | None) -> UUID:
    while key is not None and former.get(key) is not None:
        key = former[key]
    if key is None:
        raise LookupError
    return key
