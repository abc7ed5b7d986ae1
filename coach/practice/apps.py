"""Django app configuration of practice."""

from __future__ import annotations

from django.apps import AppConfig


class PracticeConfig(AppConfig):
    """Practice app; see the package's docstring."""

    name = "coach.practice"
    label = "practice"
