"""The Django app configuration of spoken replies."""

from __future__ import annotations

from django.apps import AppConfig


class SpokenConfig(AppConfig):
    """The app configuration of spoken replies."""

    name = "coach.review.spoken"
    label = "spoken"

    def ready(self) -> None:
        """Register the recordings of replies."""
        # Models can be imported only now.
        from coach.rehearsals.external_recordings import register_recordings  # noqa: PLC0415
        from coach.review.spoken.selectors import stored_replies  # noqa: PLC0415

        register_recordings(stored_replies)
