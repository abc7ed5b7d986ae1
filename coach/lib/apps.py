"""Django's handle on the topic-named modules that own no data."""

from __future__ import annotations

from django.apps import AppConfig
from django.core.checks import register

from coach.lib.checks import catalogues_are_compiled


class LibConfig(AppConfig):
    """Template filters and checks live here."""

    name = "coach.lib"
    label = "lib"

    def ready(self) -> None:
        """Have the catalogues looked at whenever Django checks itself."""
        register(catalogues_are_compiled)
