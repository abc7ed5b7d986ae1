"""Django's handle on this app."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class FeedbackConfig(AppConfig):
    """See the package's docstring."""

    name = "coach.feedback"
    label = "feedback"

    def ready(self) -> None:
        """Import what other apps add to pages (`coach.feedback.pages.extensions`)."""
        autodiscover_modules("page_extensions")
