"""Django app configuration of the portal."""

from __future__ import annotations

from django.apps import AppConfig


class PortalConfig(AppConfig):
    """Portal app; see the package's docstring."""

    name = "coach.portal"
    label = "portal"
