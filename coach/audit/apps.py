"""Django app configuration of the audit log."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _


class AuditConfig(AppConfig):
    """Audit app; see the package's docstring."""

    name = "coach.audit"
    label = "audit"
    verbose_name = _("Audit log")

    def ready(self) -> None:
        """Import the actions that each app registers."""
        autodiscover_modules("audit_actions")
