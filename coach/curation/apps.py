"""The Django app configuration of the rule studio."""

from __future__ import annotations

from django.apps import AppConfig


class CurationConfig(AppConfig):
    """The app configuration of the rule studio."""

    name = "coach.curation"
    label = "curation"
