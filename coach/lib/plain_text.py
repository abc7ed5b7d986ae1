"""Text that people type, without the one character that no database of ours can hold."""

from __future__ import annotations

from typing import Any

from django import forms


class PlainTextField(forms.CharField):
    """Drops null characters: nobody types them, and a note is not lost for one."""

    def to_python(self, value: Any) -> str | None:
        """The text as Django cleans it."""
        text = super().to_python(value)
        return text.replace("\0", "") if text else text
