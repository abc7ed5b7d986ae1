"""Django app configuration of research."""

from __future__ import annotations

from django.apps import AppConfig


class ResearchConfig(AppConfig):
    """Research app; see the package's docstring."""

    name = "coach.research"
    label = "research"
