"""Forms of owners and guests."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from coach.feedback.forms import ClockField
from coach.guests.models import MOST_CHARACTERS
from coach.lib.pages.plain_text import NameField, PlainTextField
from coach.lib.words.clock import clock

DAYS = ((1, _("One day")), (3, _("Three days")), (7, _("A week")), (30, _("Thirty days")))

CLIP_DAYS = tuple(each for each in DAYS if each[0] != 3)


class _NewLink(forms.Form):
    """The recipient and lifetime of a link."""

    meant_for = NameField(
        label=_("Name of the guest"),
        max_length=120,
        error_messages={"required": _("Write the name of the guest.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    days = forms.TypedChoiceField(
        label=_("Valid for"), choices=DAYS, coerce=int, initial=DAYS[2][0]
    )


class GuestLinkForm(_NewLink):
    """A new guest link."""

    shows_findings = forms.BooleanField(required=False)


class ReportLinkForm(_NewLink):
    """A new link to the report."""

    what = forms.ChoiceField(choices=(("cards", "cards"), ("all", "all")), initial="cards")
    with_recording = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        """Return the choices as `share_report` takes them."""
        data = super().clean() or self.cleaned_data
        data["shows_all"] = data.pop("what", "cards") == "all"
        return data


class ClipLinkForm(_NewLink):
    """A new link to one moment of a card; `moment` counts the card's moments."""

    moment = forms.IntegerField(min_value=0)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Offer the lifetimes of clips."""
        super().__init__(*args, **kwargs)
        days = self.fields["days"]
        if isinstance(days, forms.TypedChoiceField):
            days.choices = CLIP_DAYS


class NameForm(forms.Form):
    """The name of a guest."""

    name = NameField(max_length=120, error_messages={"required": _("Write your name.")})


class CommentForm(forms.Form):
    """A comment at a time; `start_exact` is the exact second."""

    text = PlainTextField(
        max_length=MOST_CHARACTERS, error_messages={"required": _("Write what you noticed.")}
    )
    start = ClockField(max_length=12, error_messages={"required": _("Choose the time.")})
    start_exact = forms.FloatField(required=False, min_value=0)

    def clean(self) -> dict[str, Any]:
        """Use the exact second unless the time in the field was changed."""
        data = super().clean() or self.cleaned_data
        typed, exact = data.get("start"), data.pop("start_exact", None)
        if typed is not None and exact is not None and clock(typed) == clock(exact):
            data["start"] = exact
        return data
