"""Django's handle on the topic-named modules that own no data."""

from __future__ import annotations

from django.apps import AppConfig


class LibConfig(AppConfig):
    """Template filters live here."""

    name = "coach.lib"
    label = "lib"
