"""What forms have in common: a day, a moment, and what one that was refused says."""

from __future__ import annotations

from datetime import MAXYEAR, MINYEAR, datetime
from typing import Any

from django.core.exceptions import ValidationError
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
        """What they typed. Raises ValidationError, also where their clock has no such hour, and in
        the first and last year that there is: the database keeps what would be before or after
        them elsewhere, and no page that lists it could be read any more."""
        with timezone.override(zone_here()):
            moment = super().to_python(value)
        if moment is not None and not MINYEAR < moment.year < MAXYEAR:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return moment


class ManyBoxes(CheckboxSelectMultiple):
    """A list to choose from that is often wanted whole: a button ticks all of it."""


def first_error(form: BaseForm) -> str:
    """What to mend first, in a sentence."""
    return str(next(iter(form.errors.values()))[0])
