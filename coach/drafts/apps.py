"""Django's handle on this app."""

from __future__ import annotations

from django.apps import AppConfig


class DraftsConfig(AppConfig):
    """See the package's docstring."""

    name = "coach.drafts"
    label = "drafts"
