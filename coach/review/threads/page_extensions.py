"""Threads in a released report, under each card and note of its owner."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.urls import reverse

from coach.feedback.notes import notes_for_reading
from coach.feedback.pages.extensions import PagePart, PagePlace, ReportReading, extend_pages
from coach.review.threads.page import shown_thread
from coach.review.threads.selectors import entries_on


def threads(reading: ReportReading) -> Iterable[PagePart]:
    """Yield the thread of each card and note, if a coach has released the feedback."""
    if not (reading.is_owner and reading.is_released):
        return
    entries = entries_on(reading.rehearsal)
    cards: list[tuple[PagePlace, UUID]] = [("card", each.item.pk) for each in reading.items]
    notes: list[tuple[PagePlace, UUID]] = [
        ("note", each.pk) for each in notes_for_reading(reading.feedback)
    ]
    for place, key in (*cards, *notes):
        url = reverse("review:thread_of_owner", args=[reading.rehearsal.pk, key])
        thread = shown_thread(entries, key, url=url)
        yield PagePart(
            place=place,
            card=str(key),
            template="review/threads/_thread.html",
            context={"thread": thread},
        )


extend_pages(on_report=[threads])
