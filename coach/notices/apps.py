"""Django app configuration of notifications."""

from __future__ import annotations

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """Notifications app; see the package's docstring."""

    name = "coach.notices"
    label = "notices"
