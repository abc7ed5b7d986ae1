"""Dates as pages say them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from django.utils import formats, timezone
from django.utils.translation import pgettext

_EASTERNMOST = timedelta(hours=14)
"""Days begin in Kiribati."""


def date_words(moment: datetime) -> str:
    """A complete local date and time."""
    return written(moment, "j F Y, H:i")


def latest_day() -> date:
    """The day that it already is somewhere: whoever is east of the site dates no day to come."""
    return (timezone.now().astimezone(UTC) + _EASTERNMOST).date()


def zone_words() -> str:
    """Whose clock dates and times go by: `Europe/Paris (UTC+01:00)`, as it is there now."""
    name = timezone.get_current_timezone_name()
    if name == "UTC":
        return name
    offset = timezone.localtime().strftime("%z")
    return f"{name} (UTC{offset[:3]}:{offset[3:]})"


def written(moment: date, pattern: str) -> str:
    """A day, or a moment as it is here, by a pattern of Django's: « 1er décembre », not « 1 »."""
    local = timezone.localtime(moment) if isinstance(moment, datetime) else moment
    words = formats.date_format(local, pattern)
    if local.day == 1 and pattern.startswith("j "):
        return pgettext("the first day of a month, before its name", "1") + words[1:]
    return words
