"""Django's handle on this app."""

from __future__ import annotations

from django.apps import AppConfig


class RehearsalsConfig(AppConfig):
    """See the package's docstring."""

    name = "coach.rehearsals"
    label = "rehearsals"
