"""Cleaning of typed text: characters that PostgreSQL cannot store, and line ends counted once."""

from __future__ import annotations

from typing import Any
from unicodedata import category

from django import forms


def storable(text: str) -> str:
    """Return the text as PostgreSQL can store it: without null characters and lone surrogates."""
    return text.replace("\0", "").encode(errors="replace").decode()


def typed_note(text: str, *, most: int) -> str:
    """Return a typed or pasted note as it is stored, at most `most` characters long.

    It is not lost for a character that no table can store, and its line ends count once.
    """
    return storable(text).replace("\r\n", "\n").strip()[:most]


def one_line(text: str) -> str:
    """Return a name as it is stored: without line breaks and control characters, with
    single spaces.
    """
    plain = "".join(" " if category(letter) == "Cc" else letter for letter in text)
    return " ".join(storable(plain).split())


class PlainTextField(forms.CharField):
    """A text field that drops null characters, so that a pasted note is not refused for one.

    A browser counts a new line as one character and sends two: `max_length` would refuse a text
    that its field allowed.
    """

    def to_python(self, value: Any) -> str | None:
        """Return the cleaned text with plain line ends."""
        text = super().to_python(value)
        return storable(text.replace("\r\n", "\n")) if text else text


class NameField(forms.CharField):
    """A field for a name: one line, so that it adds no line to an email or a table."""

    def to_python(self, value: Any) -> str | None:
        """Return the name as it is stored."""
        text = super().to_python(value)
        return one_line(text) if text else text
