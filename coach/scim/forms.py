"""Form of a new token for SCIM."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from coach.accounts.models import User
from coach.api.forms import TokenForm
from coach.api.scopes import Scope

_OPTIONS = (Scope.SCIM_MATCH, Scope.SCIM_INVITE)


class ScimTokenForm(TokenForm):
    """Name, options and lifetime of a token for an identity provider."""

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, user=user, **kwargs)
        self.fields["name"].help_text = _("The identity provider, for example “Entra ID”.")
        options = self.fields["scopes"]
        options.label, options.required = _("Options"), False
        options.choices = [  # type: ignore[attr-defined]
            (scope.value, scope.label) for scope in _OPTIONS
        ]

    @property
    def chosen(self) -> list[Scope]:
        """The scope of SCIM, and the options that were ticked."""
        return [Scope.SCIM, *super().chosen]
