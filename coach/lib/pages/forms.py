"""What forms have in common: a day, and what one that was refused says."""

from __future__ import annotations

from django.forms import BaseForm, CheckboxSelectMultiple, DateInput


class DayInput(DateInput):
    """A day in the browser's own calendar, which takes it in one form in every language."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class ManyBoxes(CheckboxSelectMultiple):
    """A list to choose from that is often wanted whole: a button ticks all of it."""


def first_error(form: BaseForm) -> str:
    """What to mend first, in a sentence."""
    return str(next(iter(form.errors.values()))[0])
