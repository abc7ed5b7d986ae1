"""The parts of reports and of the home page about questions after a talk."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse

from coach.accounts.models import User
from coach.feedback.pages.extensions import PagePart, ReportReading, extend_pages
from coach.questions.page import session_links
from coach.questions.topics_page import topic_of_the_day


def on_report(reading: ReportReading) -> Iterable[PagePart]:
    """Yield the way to three questions, and earlier ones, for the owner."""
    if not reading.is_owner:
        return
    take = reading.rehearsal
    context = {
        "url": reverse("questions:begin", args=[take.pk]),
        "sessions": session_links(take.question_sessions.all()),
    }
    yield PagePart(place="after_cards", template="questions/_on_report.html", context=context)


def at_home(_user: User) -> Iterable[PagePart]:
    """Yield a topic for people without a talk."""
    context = {"topic": topic_of_the_day(), "url": reverse("questions:topics")}
    yield PagePart(place="top", template="questions/_at_home.html", context=context)


extend_pages(on_report=[on_report], at_home=[at_home])
