"""Additions of key messages to a report."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.feedback.pages.extensions import PagePart, ReportReading, page_link
from coach.practice.key_messages.page import key_messages_part


def on_report(reading: ReportReading) -> Iterable[PagePart]:
    """Yield the messages and where they were said; for the owner of a talk without any, a link."""
    if reading.feedback is None:
        return
    take = reading.rehearsal
    part = key_messages_part(take, reading.report, is_owner=reading.is_owner)
    if part is not None:
        context = {"messages": part}
        template = "practice/_key_messages.html"
        yield PagePart(place="after_cards", template=template, context=context)
    elif reading.is_owner:
        yield page_link(_("Key messages"), reverse("practice:key_messages", args=[take.pk]))
