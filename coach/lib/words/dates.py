"""Dates as pages say them: by the clock of who reads, where their browser has named it.

Only what is written for them goes by it. Days are counted by the clock of the site (`TIME_ZONE`),
and mails and what workers write go by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.utils import formats, timezone
from django.utils.translation import pgettext

_EASTERNMOST = timedelta(hours=14)
"""Days begin in Kiribati."""

_NAME = re.compile(r"[A-Za-z0-9+_/-]{1,64}")
_reader: ContextVar[ZoneInfo | None] = ContextVar("zone", default=None)


@contextmanager
def read_in(name: str) -> Iterator[None]:
    """Within it, moments are written as they are in this zone; in the site's, where it is none."""
    token = _reader.set(_zone_called(name))
    try:
        yield
    finally:
        _reader.reset(token)


@lru_cache(maxsize=1024)
def _zone_called(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if _NAME.fullmatch(name) else None
    except (ValueError, OSError, LookupError):
        return None


def zone_here() -> tzinfo:
    """By whose clock moments are written, and read where somebody types one."""
    return _reader.get() or timezone.get_current_timezone()


def here(moment: datetime | None) -> datetime:
    """The same moment, now where none is named, by the clock of who reads it."""
    return timezone.localtime(moment, zone_here())


def date_words(moment: datetime) -> str:
    """A complete local date and time."""
    return written(moment, "j F Y, H:i")


def latest_day() -> date:
    """The day that it already is somewhere: whoever is east of the site dates no day to come."""
    return (timezone.now().astimezone(UTC) + _EASTERNMOST).date()


def zone_words() -> str:
    """Whose clock dates and times go by: `Europe/Paris (UTC+01:00)`, as it is there now.

    Empty where it is the reader's own.
    """
    if _reader.get() is not None:
        return ""
    name = timezone.get_current_timezone_name()
    if name == "UTC":
        return name
    offset = timezone.localtime().strftime("%z")
    return f"{name} (UTC{offset[:3]}:{offset[3:]})"


def zone_name() -> str:
    """Whose clock dates and times go by, for what leaves its reader: `America/New York`."""
    return str(zone_here()).replace("_", " ")


def written(moment: date, pattern: str) -> str:
    """A day, or a moment as its reader's clock has it, by a pattern of Django's.

    « 1er décembre », not « 1 ».
    """
    local = here(moment) if isinstance(moment, datetime) else moment
    words = formats.date_format(local, pattern)
    if local.day == 1 and pattern.startswith("j "):
        return pgettext("the first day of a month, before its name", "1") + words[1:]
    return words
