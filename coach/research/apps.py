"""Django's handle on this app."""

from __future__ import annotations

from django.apps import AppConfig


class ResearchConfig(AppConfig):
    """See the package's docstring."""

    name = "coach.research"
    label = "research"
