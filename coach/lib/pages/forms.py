"""Shared form fields for dates and times, and the first error of a form."""

from __future__ import annotations

from datetime import MAXYEAR, MINYEAR, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.forms import BaseForm, CheckboxSelectMultiple, DateInput, DateTimeField, Select
from django.forms.utils import flatatt
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from coach.lib.words.dates import zone_here


class DayInput(DateInput):
    """A date input of the browser, whose value has the same format in every language."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class MomentField(DateTimeField):
    """A date and time field in the reader's time zone, the one in which pages show times to
    them.
    """

    def prepare_value(self, value: Any) -> Any:
        """Return the value in the reader's time zone."""
        with timezone.override(zone_here()):
            return super().prepare_value(value)

    def to_python(self, value: Any) -> datetime | None:
        """Return the typed moment. Raises ValidationError, also for an hour that the zone skips.

        The first and last year that Python knows are refused too: in another time zone the moment
        would be outside the range, and no page that lists it could be read any more.
        """
        with timezone.override(zone_here()):
            moment = super().to_python(value)
        if moment is not None and not MINYEAR < moment.year < MAXYEAR:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return moment


class CheckboxListWithSelectAll(CheckboxSelectMultiple):
    """A list of checkboxes with a button that ticks them all."""


def first_error(form: BaseForm) -> str:
    """Return the first error of a form as a sentence."""
    return str(next(iter(form.errors.values()))[0])


class PlainSelect(Select):
    """A list without groups, drawn without templates: a page may have hundreds of them."""

    def render(
        self,
        name: str,
        value: Any,
        attrs: dict[str, Any] | None = None,
        renderer: Any = None,
    ) -> SafeString:
        """Return the list with its options."""
        chosen = {str(each) for each in self.format_value(value)}
        selected = {True: mark_safe(" selected"), False: ""}
        rows = ((key, selected[str(key) in chosen], words) for key, words in self.choices)
        options = format_html_join("", '<option value="{}"{}>{}</option>', rows)
        own = flatatt(self.build_attrs(self.attrs, {"name": name, **(attrs or {})}))
        return format_html("<select{}>{}</select>", own, options)
