"""Forms for asking for an account, and for deciding about a request."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from coach.accounts.models import Cohort
from coach.lib.pages.plain_text import NameField, PlainTextField
from coach.portal.joining.selectors import is_of_domain


class JoinForm(forms.Form):
    """Name, address, and on a site that takes requests a reason."""

    name = NameField(
        label=_("Your name"),
        max_length=120,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    email = forms.EmailField(
        label=_("Email address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    reason = PlainTextField(
        label=_("What would you like to use Rostrum for?"),
        required=False,
        max_length=300,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "domain" in settings.ACCESS:
            self.fields["email"].help_text = self._domains()
        if "request" not in settings.ACCESS:
            del self.fields["reason"]

    def clean_email(self) -> str:
        """Return the address in lower case; on a site without requests it needs a domain."""
        address: str = self.cleaned_data["email"].lower()
        if "request" not in settings.ACCESS and not is_of_domain(address):
            raise forms.ValidationError(self._domains())
        return address

    @staticmethod
    def _domains() -> str:
        named = ", ".join(f"@{each}" for each in settings.ACCESS_DOMAINS)
        if "request" in settings.ACCESS:
            said = gettext("With an address that ends in %(domains)s you need no approval.")
        else:
            said = gettext("Use an address that ends in %(domains)s.")
        return said % {"domains": named}


class CodeForm(JoinForm):
    """Name and address of a person who joins a group by its code."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].help_text = ""
        self.fields.pop("reason", None)

    def clean_email(self) -> str:
        """Return the address in lower case; the code stands in for a domain."""
        address: str = self.cleaned_data["email"].lower()
        return address


class DecisionForm(forms.Form):
    """An administrator's decision about a request."""

    wish = forms.ChoiceField(choices=[("approve", "approve"), ("decline", "decline")])
    cohort = forms.ModelChoiceField(
        label=_("Group"),
        queryset=Cohort.objects.filter(archived_at=None).order_by("name"),
        required=False,
        empty_label=_("No group yet"),
    )
