"""Form for the notes of a live session."""

from __future__ import annotations

from datetime import date

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from coach.lib.pages.plain_text import PlainTextField
from coach.practice.models import SESSION_CHARACTERS


class SessionForm(forms.Form):
    """The day of a session, and its notes."""

    held_on = forms.DateField(
        label=_("Day"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )
    notes = PlainTextField(
        label=_("Notes"),
        max_length=SESSION_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("What you worked on and what to try next. The trainee reads it."),
        error_messages={"required": _("Write what you worked on.")},
    )

    def clean_held_on(self) -> date:
        """Return the day. Raises ValidationError for a day to come."""
        day: date = self.cleaned_data["held_on"]
        if day > timezone.localdate():
            raise ValidationError(gettext("A session is noted after it took place."))
        return day
