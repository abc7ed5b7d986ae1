"""Moments of a recording as coaches type them: `0:12-0:18, 1:05`."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.lib.clock import seconds_of

CLIP_SECONDS = 6.0
"""So long a moment is played where only its beginning was given (rule of thumb)."""
MOST_TYPED = 200
"""Characters of a field of moments."""

Clips = tuple[tuple[float, float], ...]


class ClipsField(forms.CharField):
    """Moments of the recording as people write them: `0:12-0:18, 1:05`."""

    def clean(self, value: Any) -> Clips:
        """Seconds of each, without an end six seconds long."""
        text = super().clean(value).replace("\u2013", "-")
        try:
            return tuple(_clip(part) for part in text.replace(";", ",").split(",") if part.strip())
        except ValueError as error:
            raise forms.ValidationError(
                _("Write the moments as minutes and seconds: 0:12-0:18, 1:05.")
            ) from error


def _clip(text: str) -> tuple[float, float]:
    first, _dash, last = text.partition("-")
    start = seconds_of(first.strip())
    return start, seconds_of(last.strip()) if last.strip() else start + CLIP_SECONDS
