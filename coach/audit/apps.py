"""Django's handle on this app."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AuditConfig(AppConfig):
    """See the package's docstring."""

    name = "coach.audit"
    label = "audit"
    verbose_name = _("Audit log")
