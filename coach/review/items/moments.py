"""Parsing of moments as coaches type them: `0:12-0:18, 1:05`."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.lib.words.clock import clock, seconds_of

CLIP_SECONDS = 6.0
"""The length of a moment without an end (rule of thumb)."""
LEAST_SECONDS = 1.0
"""The length of a moment that ends at its start: the second it is written as (rule of thumb)."""
PAST_THE_END = 0.5
"""The seconds that a player may be past the measured end (as `checked_clips` allows)."""
MOST_TYPED = 200
"""The maximum number of characters in a field of moments."""

Clips = tuple[tuple[float, float], ...]


class ClipsField(forms.CharField):
    """A field for moments of the recording: `0:12-0:18, 1:05`.

    If the talk's duration in seconds is given, a moment without an end stays inside it, and
    one without a length gets the minimum.
    """

    def __init__(self, *, duration: float | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.duration = duration

    def clean(self, value: Any) -> Clips:
        """Return the parsed seconds. Raises ValidationError.

        A moment without an end lasts six seconds.
        """
        text = super().clean(value).replace("\u2013", "-")
        try:
            clips = [_clip(part) for part in text.replace(";", ",").split(",") if part.strip()]
        except ValueError as error:
            raise forms.ValidationError(
                _("Write moments as minutes and seconds, for example 0:12-0:18, 1:05.")
            ) from error
        return tuple(_closed(start, end, self.duration) for start, end in clips)


def exact_words(clips: Clips) -> str:
    """Return moments as typed, with fractions of a second if any: `0:12.2-0:12.8`."""
    return ", ".join(f"{_exact(start)}-{_exact(end)}" for start, end in clips)


def _exact(seconds: float) -> str:
    thousandths = round(seconds * 1000)
    part = f"{thousandths % 1000:03d}".rstrip("0")
    return clock(thousandths // 1000) + (f".{part}" if part else "")


def _clip(text: str) -> tuple[float, float | None]:
    first, _dash, last = text.partition("-")
    return seconds_of(first.strip()), seconds_of(last.strip()) if last.strip() else None


def _closed(start: float, end: float | None, duration: float | None) -> tuple[float, float]:
    if duration is None or start > duration + PAST_THE_END:
        return start, start + CLIP_SECONDS if end is None else end
    if end is None:
        end = max(min(start + CLIP_SECONDS, duration), start)
    if end == start:
        end = min(start + LEAST_SECONDS, duration)
        start = min(start, max(end - LEAST_SECONDS, 0.0))
    return start, end
