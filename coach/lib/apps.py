"""Django app configuration of the shared library, which has no models."""

from __future__ import annotations

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import register

from coach.lib.checks import catalogues_are_compiled


class LibConfig(AppConfig):
    """App that registers template filters and system checks, and starts error reports."""

    name = "coach.lib"
    label = "lib"

    def ready(self) -> None:
        """Register the check that message catalogues are compiled; start error reports if set."""
        register(catalogues_are_compiled)
        if settings.ERROR_REPORTS:
            # The client is imported by sites that use it only.
            from coach.lib.logs.error_reports import start_error_reports  # noqa: PLC0415

            start_error_reports(
                settings.ERROR_REPORTS, process="web" if settings.SIGNS else "worker"
            )
