"""Assignments on the trainee's home page, and on the report of a take for one."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.assignments.models import AssignmentWork
from coach.assignments.pages import home_rows
from coach.feedback.pages.extensions import PagePart, ReportReading, extend_pages, page_link


def at_home(user: User) -> Iterable[PagePart]:
    """Yield the open assignments, and the way to the others."""
    if not user.can_practise:
        return
    rows = home_rows(user)
    if rows is not None:
        yield PagePart(
            place="notices", template="assignments/_at_home.html", context={"rows": rows}
        )


def on_report(reading: ReportReading) -> Iterable[PagePart]:
    """Yield, for the owner, the way back to each assignment of the talk."""
    if not reading.is_owner:
        return
    works = AssignmentWork.objects.filter(
        person=reading.reader,
        talk=reading.rehearsal.talk_id,
        assignment__published_at__isnull=False,
        assignment__archived_at=None,
    )
    for work in works.select_related("assignment"):
        words = _("Assignment: %(title)s") if work.handed_in_at else _("Hand in: %(title)s")
        yield page_link(
            words % {"title": work.assignment.title},
            reverse("assignments:assignment", args=[work.assignment_id]),
        )


extend_pages(on_report=[on_report], at_home=[at_home])
