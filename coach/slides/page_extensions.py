"""The slides' part of a report, and its link for the owner."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.feedback.pages.extensions import PagePart, ReportReading, extend_pages, page_link
from coach.feedback.selectors import latest_report_run
from coach.slides.page import report_part
from coach.slides.selectors import ready_decks_of


def on_report(reading: ReportReading) -> Iterable[PagePart]:
    """Yield the comparison with the slides, and the owner's link to add some."""
    take = reading.rehearsal
    has_slides = ready_decks_of(take.talk_id).exists()
    if reading.is_owner:
        label = _("Your slides") if has_slides else _("Add slides")
        yield page_link(label, reverse("slides:of_talk", args=[take.talk_id]))
    if not has_slides or (reading.feedback is None and not reading.is_owner):
        return
    part = report_part(take, run=latest_report_run(take))
    if part is not None:
        yield PagePart(
            place="after_cards", template="slides/_report_section.html", context={"slides": part}
        )


extend_pages(on_report=[on_report])
