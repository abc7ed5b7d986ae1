"""Dates as pages say them."""

from __future__ import annotations

from datetime import datetime

from django.utils import formats, timezone


def date_words(moment: datetime) -> str:
    """A complete local date and time."""
    return formats.date_format(timezone.localtime(moment), "j F Y, H:i")
