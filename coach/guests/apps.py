"""Django's handle on this app."""

from __future__ import annotations

from django.apps import AppConfig


class GuestsConfig(AppConfig):
    """See the package's docstring."""

    name = "coach.guests"
    label = "guests"
