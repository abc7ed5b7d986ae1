"""A reminder as a calendar file (iCalendar, RFC 5545) for the person's own calendar.

The hour is a floating local time: it stays the same wherever the device is (RFC 5545, 3.3.5).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from coach.lib.calendar_lines import calendar_bytes, text_value
from coach.practice.models import PracticeReminder
from coach.practice.today.reminders import next_moment

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def calendar_file(reminder: PracticeReminder, now: datetime) -> bytes:
    """Return the file: one event of three minutes, on the chosen days of each week."""
    return calendar_bytes(_lines(reminder, now))


def _lines(reminder: PracticeReminder, now: datetime) -> Iterator[str]:
    host = urlsplit(settings.SITE_ADDRESS).hostname or "rostrum"
    page = f"{settings.SITE_ADDRESS}{reverse('feedback:takes')}"
    title = text_value(_("Practise a talk: three minutes"))
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Rostrum//Practice reminder//EN")
    yield "BEGIN:VEVENT"
    yield f"UID:practice-{reminder.person_id}@{host}"
    yield f"DTSTAMP:{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    yield f"DTSTART:{next_moment(reminder, now):%Y%m%dT%H%M%S}"
    yield "DURATION:PT3M"
    yield f"RRULE:FREQ=WEEKLY;BYDAY={','.join(_DAYS[day] for day in reminder.days)}"
    yield f"SUMMARY:{title}"
    yield f"DESCRIPTION:{text_value(page)}"
    yield f"URL:{page}"
    yield "TRANSP:TRANSPARENT"
    yield from ("BEGIN:VALARM", "ACTION:DISPLAY", f"DESCRIPTION:{title}", "TRIGGER:PT0S")
    yield from ("END:VALARM", "END:VEVENT", "END:VCALENDAR")
