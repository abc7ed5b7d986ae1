"""Django's handle on this app."""

from __future__ import annotations

from django.apps import AppConfig


class CurationConfig(AppConfig):
    """See the package's docstring."""

    name = "coach.curation"
    label = "curation"
