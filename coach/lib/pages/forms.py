"""What forms have in common: a day, a moment, and what one that was refused says."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.forms import BaseForm, CheckboxSelectMultiple, DateInput, DateTimeField
from django.utils import timezone

from coach.lib.words.dates import zone_here


class DayInput(DateInput):
    """A day in the browser's own calendar, which takes it in one form in every language."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class MomentField(DateTimeField):
    """A moment by the clock of who types it, by which pages write it to them."""

    def prepare_value(self, value: Any) -> Any:
        """As they read it."""
        with timezone.override(zone_here()):
            return super().prepare_value(value)

    def to_python(self, value: Any) -> datetime | None:
        """What they typed. Raises ValidationError, also where their clock has no such hour."""
        with timezone.override(zone_here()):
            return super().to_python(value)


class ManyBoxes(CheckboxSelectMultiple):
    """A list to choose from that is often wanted whole: a button ticks all of it."""


def first_error(form: BaseForm) -> str:
    """What to mend first, in a sentence."""
    return str(next(iter(form.errors.values()))[0])
