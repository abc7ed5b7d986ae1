"""The Django app configuration of saved drafts."""

from __future__ import annotations

from django.apps import AppConfig


class DraftsConfig(AppConfig):
    """The app configuration of saved drafts."""

    name = "coach.drafts"
    label = "drafts"
