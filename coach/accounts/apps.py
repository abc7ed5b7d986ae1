"""Django app configuration of accounts."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """Accounts app; see the package's docstring."""

    name = "coach.accounts"
    label = "accounts"
    verbose_name = _("People and groups")

    def ready(self) -> None:
        """Connect the log entries of second factors, and the list of sessions."""
        import coach.accounts.second_factor.services  # noqa: PLC0415
        import coach.accounts.sessions.tracking  # noqa: F401, PLC0415
