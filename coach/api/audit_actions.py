"""Audit log labels for actions on access tokens."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, pgettext_lazy

from coach.api.scopes import Scope
from coach.audit.registry import register_acts

register_acts(
    {
        "api.token_made": gettext_lazy("Made an access token"),
        "api.token_revoked": gettext_lazy("Revoked an access token"),
    },
    names={"token_scopes": pgettext_lazy("logged", "scopes")},
    values={"token_scopes": {scope.value: scope.label for scope in Scope}},
    security=("api.token_made", "api.token_revoked"),
)
