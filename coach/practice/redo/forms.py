"""Choosing the stretch to do again."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.feedback.forms import ClockField
from coach.lib.measure_words import label_of
from coach.practice.redo.focus import measures_for
from coach.rehearsals.models import Rehearsal


class SpanForm(forms.Form):
    """From where to where, and the one measure to compare."""

    start = ClockField(label=_("From"), max_length=12)
    end = ClockField(label=_("To"), max_length=12)
    metric = forms.ChoiceField(label=_("What to compare"))

    def __init__(self, *args: Any, take: Rehearsal, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(each, label_of(each)) for each in measures_for(take)]
        self.fields["metric"].choices = choices  # type: ignore[attr-defined]
