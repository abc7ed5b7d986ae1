"""A coach's own words in earlier feedback, found by the words in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import and_
from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet

from coach.accounts.models import User
from coach.feedback.models import Feedback, Item, TimedNote, Verdict
from coach.review.selectors import takes_to_review_for

FOUND_AT_MOST = 20
"""The number of earlier comments on one page (rule of thumb)."""
_PARTS = ("claim", "suggestion", "why")
"""The sentences of a card that a coach writes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierComment:
    """A sentence from earlier feedback, with its take."""

    text: str
    at: datetime
    take: UUID
    title: str


def earlier_comments_for(coach: User, wanted: str) -> list[EarlierComment]:
    """Return the coach's own sentences that contain every typed word, latest first.

    Only from takes that the coach can still open; a sentence that was used twice is listed once.
    """
    words = wanted.split()
    if not words:
        return []
    found = sorted(_found(coach, words), key=lambda each: each.at, reverse=True)
    by_text: dict[str, EarlierComment] = {}
    for each in found:
        by_text.setdefault(each.text, each)
    return list(by_text.values())[:FOUND_AT_MOST]


def _found(coach: User, words: Sequence[str]) -> Iterator[EarlierComment]:
    takes = takes_to_review_for(coach).select_related(None).order_by().values("pk")
    notes = TimedNote.objects.filter(
        _has(words, "text"), author=coach, removed_at=None, feedback__rehearsal__in=takes
    )
    yield from _read(notes.order_by("-created_at"), "text", "created_at", "feedback__rehearsal")
    messages = Feedback.objects.filter(
        _has(words, "word"), released_by=coach, released_at__isnull=False, rehearsal__in=takes
    )
    yield from _read(messages.order_by("-released_at"), "word", "released_at", "rehearsal")
    own = Item.objects.filter(author=coach, feedback__rehearsal__in=takes).order_by("-created_at")
    changed = Verdict.objects.filter(
        coach=coach,
        kind=Verdict.Kind.EDIT,
        undone_at=None,
        item__feedback__rehearsal__in=takes,
    ).order_by("-at")
    for part in _PARTS:
        field = f"document__{part}"
        yield from _read(own.filter(_has(words, field)), field, "created_at", "feedback__rehearsal")
        field = f"wording__{part}"
        reworded = changed.exclude(**{field: F(f"item__document__{part}")})
        yield from _read(
            reworded.filter(_has(words, field)), field, "at", "item__feedback__rehearsal"
        )


def _has(words: Sequence[str], field: str) -> Q:
    return reduce(and_, (Q(**{f"{field}__icontains": word}) for word in words))


def _read(rows: QuerySet[Any], text: str, at: str, take: str) -> Iterator[EarlierComment]:
    found = rows.annotate(said=F(text)).values_list("said", at, take, f"{take}__title")
    for said, when, key, title in found[:FOUND_AT_MOST]:
        yield EarlierComment(text=said, at=when, take=key, title=title)
