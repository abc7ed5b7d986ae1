"""Form for changing the step of a focus."""

from __future__ import annotations

from django import forms

from coach.lib.pages.plain_text import PlainTextField


class StepForm(forms.Form):
    """The step, and a coach's reason."""

    step = forms.IntegerField(min_value=1, max_value=3)
    why = PlainTextField(required=False, max_length=300)
