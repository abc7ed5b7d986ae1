"""Spoken replies in a report: players above the cards, for the owner."""

from __future__ import annotations

from collections.abc import Iterable

from coach.feedback.pages.extensions import PagePart, ReportReading, extend_pages
from coach.review.spoken.page import heard_replies
from coach.review.spoken.selectors import released_replies


def spoken_replies(reading: ReportReading) -> Iterable[PagePart]:
    """Yield the coach's spoken replies, if the feedback is released and there are any."""
    if not (reading.is_owner and reading.is_released):
        return
    replies = heard_replies(released_replies(reading.rehearsal))
    if replies:
        yield PagePart(
            place="before_cards",
            template="review/spoken/_report.html",
            context={"replies": replies},
        )


extend_pages(on_report=[spoken_replies])
