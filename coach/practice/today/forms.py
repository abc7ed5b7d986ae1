"""Form of a reminder to practise."""

from __future__ import annotations

from datetime import time

from django import forms
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

EVENING = time(18, 0)
"""The hour in an empty form (rule of thumb)."""


class ReminderForm(forms.Form):
    """Hour and days, and whether an email comes."""

    at = forms.TimeField(
        label=_("Time of day"),
        initial=EVENING,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    days = forms.TypedMultipleChoiceField(
        label=_("Days"),
        coerce=int,
        choices=list(WEEKDAYS.items()),
        initial=list(range(5)),
        widget=forms.CheckboxSelectMultiple,
    )
    by_email = forms.BooleanField(label=_("Send me an email"), required=False, initial=True)
