"""Text that people type: without the one character that no database of ours can hold, and with
line ends that count once, as in the field that it was typed in."""

from __future__ import annotations

from typing import Any
from unicodedata import category

from django import forms


def storable(text: str) -> str:
    """The text as PostgreSQL can keep it: without null characters and halves of letters."""
    return text.replace("\0", "").encode(errors="replace").decode()


def typed_note(text: str, *, most: int) -> str:
    """A note that was typed or pasted, as it is kept: not lost for a character that no table holds,
    its line ends counted once, and no longer than `most`."""
    return storable(text).replace("\r\n", "\n").strip()[:most]


def one_line(text: str) -> str:
    """A name as it is kept: without line breaks and other control characters, single blanks."""
    plain = "".join(" " if category(letter) == "Cc" else letter for letter in text)
    return " ".join(storable(plain).split())


class PlainTextField(forms.CharField):
    """Drops null characters: nobody types them, and a note is not lost for one.

    A browser counts a new line as one character and sends it as two: `max_length` would refuse
    what its field let in.
    """

    def to_python(self, value: Any) -> str | None:
        """The text as Django cleans it."""
        text = super().to_python(value)
        return storable(text.replace("\r\n", "\n")) if text else text


class NameField(forms.CharField):
    """A name: one line, so that it adds none to a mail or a table."""

    def to_python(self, value: Any) -> str | None:
        """The name as it is kept."""
        text = super().to_python(value)
        return one_line(text) if text else text
