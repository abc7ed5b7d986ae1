"""The Django app configuration of feedback."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class FeedbackConfig(AppConfig):
    """The app configuration of feedback."""

    name = "coach.feedback"
    label = "feedback"

    def ready(self) -> None:
        """Import the page extensions of other apps (`coach.feedback.pages.extensions`)."""
        autodiscover_modules("page_extensions")
