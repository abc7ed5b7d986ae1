"""Dates in the reader's time zone, if their browser has named it.

Only pages use it. Days are counted in the site's time zone (`TIME_ZONE`), which emails and workers
use too.
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
"""The earliest time zone, in Kiribati."""

_NAME = re.compile(r"[A-Za-z0-9+_/-]{1,64}")
_reader: ContextVar[ZoneInfo | None] = ContextVar("zone", default=None)


@contextmanager
def read_in(name: str) -> Iterator[None]:
    """Format moments in this time zone inside the block; in the site's if the name is invalid."""
    token = _reader.set(zone_called(name))
    try:
        yield
    finally:
        _reader.reset(token)


@lru_cache(maxsize=1024)
def zone_called(name: str) -> ZoneInfo | None:
    """Return the time zone of this name, or None if there is none."""
    try:
        return ZoneInfo(name) if _NAME.fullmatch(name) else None
    except (ValueError, OSError, LookupError):
        return None


def zone_here() -> tzinfo:
    """Return the time zone in which moments are shown and typed."""
    return _reader.get() or timezone.get_current_timezone()


def here(moment: datetime | None) -> datetime:
    """Return a moment, by default now, in the reader's time zone."""
    return timezone.localtime(moment, zone_here())


def date_words(moment: datetime) -> str:
    """Return a complete local date and time."""
    return written(moment, "j F Y, H:i")


def latest_day() -> date:
    """Return the latest current date anywhere, so that a reader east of the site can enter
    today.
    """
    return (timezone.now().astimezone(UTC) + _EASTERNMOST).date()


def zone_words() -> str:
    """Return the name of the site's time zone with its offset now: `Europe/Paris (UTC+01:00)`.

    Empty if the page uses the reader's own.
    """
    if _reader.get() is not None:
        return ""
    name = timezone.get_current_timezone_name()
    if name == "UTC":
        return name
    offset = timezone.localtime().strftime("%z")
    return f"{name} (UTC{offset[:3]}:{offset[3:]})"


def zone_name() -> str:
    """Return the name of the time zone in use, for files that leave the site: `America/New
    York`.
    """
    return str(zone_here()).replace("_", " ")


def written(moment: date, pattern: str) -> str:
    """Format a day, or a moment in the reader's time zone, with one of Django's patterns.

    « 1er décembre », not « 1 ».
    """
    local = here(moment) if isinstance(moment, datetime) else moment
    words = formats.date_format(local, pattern)
    if local.day == 1 and pattern.startswith("j "):
        return pgettext("the first day of a month, before its name", "1") + words[1:]
    return words
