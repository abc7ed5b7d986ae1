"""The Django app configuration of slides."""

from __future__ import annotations

from django.apps import AppConfig


class SlidesConfig(AppConfig):
    """The app configuration of slides."""

    name = "coach.slides"
    label = "slides"
