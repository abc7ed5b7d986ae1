"""What a coach fills in on the desk."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.feedback.forms import ClockField
from coach.feedback.models import RejectReason
from coach.lib.clock import clock
from coach.rehearsals.models import Goal


class VerdictForm(forms.Form):
    """One decision on one item."""

    ACTIONS = [("accept", ""), ("edit", ""), ("reject", ""), ("undo", "")]

    action = forms.ChoiceField(choices=ACTIONS)
    wording = forms.CharField(required=False, max_length=600)
    suggestion = forms.CharField(required=False, max_length=600)
    reason = forms.ChoiceField(choices=[("", ""), *RejectReason.choices], required=False)
    note = forms.CharField(required=False, max_length=2000)


class HandOverForm(forms.Form):
    """To whom a take goes, and what they should know."""

    colleague = forms.IntegerField(min_value=1)
    note = forms.CharField(required=False, max_length=500)


class CoachItemForm(forms.Form):
    """An item of the coach's own."""

    tone = forms.ChoiceField(choices=[("strength", ""), ("improvement", "")])
    quality = forms.ChoiceField(choices=Goal.choices)
    claim = forms.CharField(
        max_length=600, error_messages={"required": _("Say what you observed.")}
    )
    suggestion = forms.CharField(required=False, max_length=600)
    start = ClockField(max_length=12, error_messages={"required": _("Say where it begins.")})
    end = ClockField(max_length=12, required=False)

    def clean(self) -> dict[str, Any]:
        """Without an end the clip is six seconds long."""
        data = super().clean() or self.cleaned_data
        if data.get("start") is not None and data.get("end") is None:
            data["end"] = data["start"] + 6.0
        return data


class NoteForm(forms.Form):
    """A note at a time; `*_exact` says where in the second it was marked."""

    text = forms.CharField(
        max_length=2000, error_messages={"required": _("Write what you noticed.")}
    )
    tag = forms.ChoiceField(choices=[("", ""), *Goal.choices], required=False)
    start = ClockField(max_length=12, error_messages={"required": _("Say where it begins.")})
    end = ClockField(max_length=12, required=False)
    start_exact = forms.FloatField(required=False, min_value=0)
    end_exact = forms.FloatField(required=False, min_value=0)

    def clean(self) -> dict[str, Any]:
        """The exact second, as long as what stands in the field is still that second."""
        data = super().clean() or self.cleaned_data
        for name in ("start", "end"):
            typed, exact = data.get(name), data.pop(f"{name}_exact", None)
            if typed is not None and exact is not None and clock(typed) == clock(exact):
                data[name] = exact
        return data


class StrikeForm(forms.Form):
    """Which filler or look-away was none; seconds of the media."""

    kind = forms.CharField(max_length=30)
    start = forms.FloatField(min_value=0)


class WordForm(forms.Form):
    """Which word was said instead of the one that stands there."""

    start = forms.FloatField(min_value=0)
    before = forms.CharField(max_length=200, strip=False)
    after = forms.CharField(max_length=200, required=False)


class BankForm(forms.Form):
    """A sentence of the comment bank."""

    text = forms.CharField(
        max_length=600,
        error_messages={"required": _("Write the sentence that you want to use again.")},
    )
    tag = forms.ChoiceField(choices=[("", ""), *Goal.choices], required=False)
    cohort = forms.IntegerField(required=False, min_value=1)
