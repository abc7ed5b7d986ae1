"""Form of a new access token."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.api.scopes import Scope, scopes_for
from coach.lib.pages.plain_text import PlainTextField

_DAYS = (7, 30, 90, 365)


class TokenForm(forms.Form):
    """Name, scopes and lifetime of a token."""

    name = PlainTextField(
        label=_("Name"),
        max_length=60,
        help_text=_("The program that will use it, for example “Course statistics”."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What may the program do?"), widget=forms.CheckboxSelectMultiple
    )
    # A page that is sent twice makes one token.
    token = forms.UUIDField(widget=forms.HiddenInput, required=False, initial=uuid.uuid4)
    days = forms.TypedChoiceField(label=_("How long is it valid?"), coerce=int)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["scopes"].choices = [  # type: ignore[attr-defined]
            (scope.value, scope.label) for scope in scopes_for(user)
        ]
        most = settings.API_TOKEN_DAYS
        offered = sorted({min(days, most) for days in _DAYS})
        self.fields["days"].choices = [  # type: ignore[attr-defined]
            (days, ngettext("%(days)d day", "%(days)d days", days) % {"days": days})
            for days in offered
        ]

    @property
    def ends_at(self) -> datetime:
        """The moment at which the token ends."""
        return timezone.now() + timedelta(days=self.cleaned_data["days"])

    @property
    def chosen(self) -> list[Scope]:
        """The scopes that were ticked."""
        return [Scope(each) for each in self.cleaned_data["scopes"]]
