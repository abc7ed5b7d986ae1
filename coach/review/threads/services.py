"""Services for threads: write a message, tick as done."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.feedback.models import Item
from coach.feedback.selectors import is_read_by_coaches, is_sent
from coach.lib.words.placeholder_names import FORMER_COACH
from coach.notices.models import Kind
from coach.notices.services import notify, settle
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import coaches_of
from coach.rehearsals.services import lock_rehearsal
from coach.review.threads.models import ThreadEntry
from coach.review.threads.selectors import Subject

MOST_ENTRIES = 200
"""The maximum number of entries on one take, more than people write (rule of thumb)."""


@transaction.atomic
def write_message(*, subject: Subject, by: User, text: str) -> ThreadEntry:
    """Add a message under a card or note of released feedback, and notify the other side.

    Raises ValidationError for an empty text, or if nobody can read it.
    """
    words = text.strip()
    if not words:
        raise ValidationError(_("Write your message first."))
    entry = _add(subject, by, ThreadEntry.Kind.MESSAGE, words)
    record_act(action="threads.written", target=entry.rehearsal, actor=by)
    _tell(entry)
    return entry


@transaction.atomic
def tick(*, subject: Subject, by: User, is_done: bool) -> ThreadEntry | None:
    """Mark a card or note as done, or open it again; None if it is in that state already."""
    kind = ThreadEntry.Kind.DONE if is_done else ThreadEntry.Kind.REOPENED
    ticks = (ThreadEntry.Kind.DONE, ThreadEntry.Kind.REOPENED)
    lock_rehearsal(subject.feedback.rehearsal_id)
    last = _about(subject).filter(kind__in=ticks).last()
    if (last is None and not is_done) or (last is not None and last.kind == kind):
        return None
    entry = _add(subject, by, kind, "")
    record_act(action="threads.ticked", target=entry.rehearsal, actor=by, after=kind)
    return entry


def _add(subject: Subject, by: User, kind: ThreadEntry.Kind, text: str) -> ThreadEntry:
    take = subject.feedback.rehearsal
    if not lock_rehearsal(take.pk):
        raise ValidationError(_("This take was deleted."))
    if not (is_sent(take) and is_read_by_coaches(take)) and kind == ThreadEntry.Kind.MESSAGE:
        raise ValidationError(_("No coach can open this take now, so the message was not sent."))
    if take.thread_entries.count() >= MOST_ENTRIES:
        raise ValidationError(_("There are no more messages possible on this take."))
    entry = ThreadEntry(
        rehearsal=take,
        author=by,
        author_name=str(by),
        is_owners=by.pk == take.owner_id,
        kind=kind,
        text=text,
        **_reference(subject),
    )
    entry.full_clean(validate_constraints=False)
    entry.save()
    return entry


def _reference(subject: Subject) -> dict[str, Subject]:
    return {"item" if isinstance(subject, Item) else "note": subject}


def _about(subject: Subject) -> QuerySet[ThreadEntry]:
    return ThreadEntry.objects.filter(**_reference(subject))


def _tell(entry: ThreadEntry) -> None:
    """Notify the coaches of the owner's message, or the owner of a coach's."""
    take: Rehearsal = entry.rehearsal
    if entry.is_owners:
        for coach in coaches_of(take):
            notify(person=coach, kind=Kind.QUESTION, rehearsal=take, about=entry)
        return
    # The coach's message answers the owner's earlier ones.
    subject = {"item": entry.item, "note": entry.note}
    for earlier in ThreadEntry.objects.filter(is_owners=True, kind=entry.kind, **subject):
        settle(about=earlier)
    notify(person=take.owner, kind=Kind.ANSWER, rehearsal=take, about=entry)


def forget_author(user: User) -> int:
    """Remove the name of an erased coach from messages; the words stay with the take."""
    return ThreadEntry.objects.filter(author=user, is_owners=False).update(
        author=None, author_name=FORMER_COACH
    )
