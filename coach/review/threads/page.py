"""Threads as they are shown under a card or a note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.feedback.models import Feedback
from coach.lib.words.dates import date_words
from coach.lib.words.placeholder_names import name_words
from coach.rehearsals.models import Rehearsal
from coach.review.threads.models import ThreadEntry
from coach.review.threads.selectors import Entries, Subject, entries_on, is_read_by_owner


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownEntry:
    """A message, or a tick in words."""

    text: str
    who: str
    """Author and date."""
    is_tick: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownThread:
    """The thread of a card or note, with the URL that adds to it."""

    key: str
    entries: tuple[ShownEntry, ...]
    is_done: bool
    waits: bool
    """Whether the last message is the trainee's, so that a coach may want to answer."""
    url: str
    """Empty for readers who cannot write."""


def shown_thread(entries: Entries, key: UUID, *, url: str) -> ShownThread:
    """Return the thread of a card or note; without entries it is empty."""
    rows = entries.get(key, [])
    return ShownThread(
        key=str(key),
        entries=tuple(_entry(row) for row in rows),
        is_done=_is_done(rows),
        waits=_waits(rows),
        url=url,
    )


def threads_for_coach(
    rehearsal: Rehearsal, feedback: Feedback, subjects: Sequence[Subject]
) -> dict[UUID, ShownThread]:
    """Return the thread of each card or note of a version."""
    is_first_draft = feedback.state == Feedback.State.DRAFT and feedback.corrects_id is None
    entries = {} if is_first_draft else entries_on(rehearsal)
    return {
        each.pk: shown_thread(
            entries,
            each.pk,
            url=reverse("review:thread", args=[rehearsal.pk, each.pk])
            if is_read_by_owner(each, feedback)
            else "",
        )
        for each in subjects
    }


def _is_done(rows: Sequence[ThreadEntry]) -> bool:
    ticks = [row.kind for row in rows if row.kind != ThreadEntry.Kind.MESSAGE]
    return bool(ticks) and ticks[-1] == ThreadEntry.Kind.DONE


def _waits(rows: Sequence[ThreadEntry]) -> bool:
    messages = [row for row in rows if row.kind == ThreadEntry.Kind.MESSAGE]
    return bool(messages) and messages[-1].is_owners and not _is_done(rows)


def _entry(row: ThreadEntry) -> ShownEntry:
    words = {
        ThreadEntry.Kind.DONE: _("Marked as done."),
        ThreadEntry.Kind.REOPENED: _("Opened again."),
    }
    return ShownEntry(
        text=words.get(ThreadEntry.Kind(row.kind), row.text),
        who=_("%(name)s, %(date)s")
        % {"name": name_words(row.author_name), "date": date_words(row.at)},
        is_tick=row.kind != ThreadEntry.Kind.MESSAGE,
    )
