"""Django app configuration of guests."""

from __future__ import annotations

from django.apps import AppConfig


class GuestsConfig(AppConfig):
    """Guests app; see the package's docstring."""

    name = "coach.guests"
    label = "guests"
