"""Django's handle on this app."""

from __future__ import annotations

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    """See the package's docstring."""

    name = "coach.review"
    label = "review"
