"""Django's handle on this app."""

from __future__ import annotations

from django.apps import AppConfig


class SecondConfig(AppConfig):
    """See the package's docstring."""

    name = "coach.review.second"
    label = "second"
