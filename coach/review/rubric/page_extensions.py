"""The rubric's part of a report: a link to the rating, for the owner."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.feedback.pages.extensions import PagePart, ReportReading, extend_pages, page_link
from coach.review.rubric.selectors import released_rating_for


def link_to_ratings(reading: ReportReading) -> Iterable[PagePart]:
    """Yield the link to the coach's ratings, if the group lets the owner read them."""
    if released_rating_for(reading.reader, reading.rehearsal) is not None:
        url = reverse("review:rated", args=[reading.rehearsal.pk])
        yield page_link(_("Your coach’s ratings"), url)


extend_pages(on_report=[link_to_ratings])
