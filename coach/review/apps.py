"""The Django app configuration of review."""

from __future__ import annotations

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    """The app configuration of review."""

    name = "coach.review"
    label = "review"
