"""Django's handle on this app."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """See the package's docstring."""

    name = "coach.accounts"
    label = "accounts"
    verbose_name = _("People and cohorts")
