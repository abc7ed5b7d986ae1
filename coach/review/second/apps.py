"""The Django app configuration of second opinions."""

from __future__ import annotations

from django.apps import AppConfig


class SecondConfig(AppConfig):
    """The app configuration of second opinions."""

    name = "coach.review.second"
    label = "second"
