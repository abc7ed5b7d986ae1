"""Forms for choosing a person, and one of their recordings with a reason."""

from __future__ import annotations

from typing import Any

from allauth.mfa.base.forms import ReauthenticateForm
from allauth.mfa.utils import is_mfa_enabled
from django import forms
from django.utils.translation import gettext_lazy as _

from coach.accounts.forms import PersonField
from coach.accounts.models import User
from coach.lib.pages.plain_text import PlainTextField
from coach.lib.words.dates import date_words
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import emergency_recordings_for


class OwnerForm(forms.Form):
    """The person whose recording it is."""

    owner = PersonField(label=_("Email address of the person"))


class TakeByDateField(forms.ModelChoiceField[Rehearsal]):
    """A take, named by its date alone: titles are the owner's words."""

    def label_from_instance(self, obj: Rehearsal) -> str:
        """Return the date."""
        return date_words(obj.created_at)


class EmergencyForm(forms.Form):
    """The recording, by its date, and the reason."""

    reason = PlainTextField(
        label=_("Reason"),
        max_length=300,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("The owner reads it, and so do all administrators."),
    )

    code = forms.CharField(
        label=_("Code from your app, or a recovery code"),
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, owner: User, reader: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._reader = reader
        if not is_mfa_enabled(reader):
            del self.fields["code"]
        self.fields["take"] = TakeByDateField(
            label=_("Recording"),
            queryset=emergency_recordings_for(reader, owner=owner),
            widget=forms.RadioSelect,
            empty_label=None,
        )

    def clean(self) -> dict[str, Any]:
        """Check the code last, since it works once."""
        cleaned = super().clean() or {}
        if "code" in cleaned and not self.errors:
            checked = ReauthenticateForm({"code": cleaned["code"]}, user=self._reader)
            if not checked.is_valid():
                self.add_error("code", checked.errors["code"].as_data())
        return cleaned
