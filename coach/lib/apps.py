"""Django app configuration of the shared library, which has no models."""

from __future__ import annotations

from django.apps import AppConfig
from django.core.checks import register

from coach.lib.checks import catalogues_are_compiled


class LibConfig(AppConfig):
    """App that registers template filters and system checks."""

    name = "coach.lib"
    label = "lib"

    def ready(self) -> None:
        """Register the check that message catalogues are compiled."""
        register(catalogues_are_compiled)
