"""Marker for English text that another layer translates; the string collector knows its name."""

from __future__ import annotations


def gettext_noop(text: str) -> str:
    """Return the text unchanged; translators find it in the catalogue."""
    return text
