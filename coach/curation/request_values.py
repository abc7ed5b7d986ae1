"""Parsing of request values: numbers of a safe length, text that PostgreSQL can store."""

from __future__ import annotations

import re

from django.http import HttpRequest

from coach.lib.pages.plain_text import storable

_MOST_CHARACTERS = 2000
_NUMBER = re.compile(r"[0-9]{1,9}")


def number_in(text: str) -> int | None:
    """Return a whole number as our pages write it, or None."""
    return int(text) if _NUMBER.fullmatch(text) else None


def text_in(request: HttpRequest, name: str) -> str:
    """Return submitted text, shortened and without null characters, which PostgreSQL rejects."""
    return storable(request.POST.get(name, "")[:_MOST_CHARACTERS]).strip()
