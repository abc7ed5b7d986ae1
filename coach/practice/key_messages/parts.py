"""Additions of key messages to a report, and to the page of an analysis in progress."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.feedback.pages.extensions import PagePart, ReportReading, page_link
from coach.practice.key_messages.forms import KeyMessagesForm
from coach.practice.key_messages.page import key_messages_part
from coach.practice.key_messages.selectors import messages_of
from coach.rehearsals.models import Rehearsal


def while_waiting(rehearsal: Rehearsal) -> Iterable[PagePart]:
    """Yield the form for the messages of the take's talk, or the messages."""
    template = "practice/_key_messages_waiting.html"
    yield PagePart(place="waiting", template=template, context=waiting_values(rehearsal))


def waiting_values(rehearsal: Rehearsal) -> dict[str, object]:
    """Return the messages, a form if there are none, and the URL to change them."""
    known = messages_of(rehearsal)
    url = reverse("practice:key_messages", args=[rehearsal.pk])
    return {"texts": [each.text for each in known], "form": KeyMessagesForm(), "url": url}


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
