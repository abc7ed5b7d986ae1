"""Django's handle on this app."""

from __future__ import annotations

from django.apps import AppConfig


class PracticeConfig(AppConfig):
    """See the package's docstring."""

    name = "coach.practice"
    label = "practice"
