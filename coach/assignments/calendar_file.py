"""Due dates of a person's assignments as a calendar file (iCalendar, RFC 5545).

Moments are in UTC, so that every calendar shows them right in its own time zone.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.assignments.progress import Progress
from coach.assignments.selectors import assignments_for, own_progress_for
from coach.lib.calendar_lines import calendar_bytes, text_value

_MOST = 200


def calendar_file(user: User, now: datetime) -> bytes:
    """Return the file: an event for each published assignment, at the person's own due date."""
    return calendar_bytes(_lines(user, now))


def _lines(user: User, now: datetime) -> Iterator[str]:
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Rostrum//Assignments//EN")
    standing = assignments_for(user).filter(archived_at=None, cohort__archived_at=None)
    for progress in own_progress_for(user, standing[:_MOST]):
        yield from _event(progress, now)
    yield "END:VCALENDAR"


def _event(progress: Progress, now: datetime) -> Iterator[str]:
    assignment = progress.assignment
    host = urlsplit(settings.SITE_ADDRESS).hostname or "rostrum"
    page = f"{settings.SITE_ADDRESS}{reverse('assignments:assignment', args=[assignment.pk])}"
    yield "BEGIN:VEVENT"
    yield f"UID:assignment-{assignment.pk}@{host}"
    yield f"DTSTAMP:{_utc(now)}"
    # Without an end, the event ends when it begins (RFC 5545, 3.6.1).
    yield f"DTSTART:{_utc(progress.due)}"
    yield f"SUMMARY:{text_value(_('Due: %(title)s') % {'title': assignment.title})}"
    yield f"DESCRIPTION:{text_value(page)}"
    yield f"URL:{page}"
    yield from ("TRANSP:TRANSPARENT", "END:VEVENT")


def _utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"
