"""Django app configuration of research."""

from __future__ import annotations

from django.apps import AppConfig


class ResearchConfig(AppConfig):
    """Research app; see the package's docstring."""

    name = "coach.research"
    label = "research"

    def ready(self) -> None:
        """Register the recordings of interviews among those in storage."""
        # Models can be imported only now.
        from coach.rehearsals.external_recordings import register_recordings  # noqa: PLC0415
        from coach.research.coding.recordings.selectors import kept_recordings  # noqa: PLC0415

        register_recordings(kept_recordings)
