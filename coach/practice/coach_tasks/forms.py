"""Form for a task that a coach sets."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from coach.lib.pages.plain_text import PlainTextField
from coach.practice.exercises.catalogue import exercises
from coach.practice.models import TASK_CHARACTERS


class TaskForm(forms.Form):
    """An exercise of the catalogue or a task in the coach's words, and the day it is due."""

    exercise = forms.ChoiceField(label=_("Exercise"), required=False)
    text = PlainTextField(
        label=_("Task, in your words"),
        required=False,
        max_length=TASK_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("For example: “Say your opening to somebody who does not know the subject.”"),
    )
    due_on = forms.DateField(
        label=_("Due on"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["exercise"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        titles = ((each.id, each.words.title) for each in exercises().values())
        ordered = sorted(titles, key=lambda pair: pair[1])
        field.choices = [("", gettext("None: only a task in your words")), *ordered]

    def clean_due_on(self) -> date:
        """Return the day. Raises ValidationError for a day that is over."""
        day: date = self.cleaned_data["due_on"]
        if day < timezone.localdate():
            raise ValidationError(gettext("This day is over. Choose today or a later day."))
        return day

    def clean(self) -> dict[str, Any]:
        """Require an exercise or words."""
        data = super().clean() or self.cleaned_data
        if not self.errors and not data.get("exercise") and not data.get("text"):
            self.add_error("text", gettext("Choose an exercise, or write a task."))
        return data
