"""Django's handle on this app."""

from __future__ import annotations

from django.apps import AppConfig


class RubricConfig(AppConfig):
    """See the package's docstring."""

    name = "coach.review.rubric"
    label = "rubric"
