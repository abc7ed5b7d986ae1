"""The Django app configuration of takes."""

from __future__ import annotations

from django.apps import AppConfig


class RehearsalsConfig(AppConfig):
    """The app configuration of takes."""

    name = "coach.rehearsals"
    label = "rehearsals"
