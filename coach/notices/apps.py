"""Django's handle on this app."""

from __future__ import annotations

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """See the package's docstring."""

    name = "coach.notices"
    label = "notices"
