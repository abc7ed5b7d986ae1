"""Django app configuration of research."""

from __future__ import annotations

from django.apps import AppConfig


class ResearchConfig(AppConfig):
    """Research app; see the package's docstring."""

    name = "coach.research"
    label = "research"

    def ready(self) -> None:
        """Register the recordings of interviews, and what happens when a participant leaves."""
        # Models can be imported only now.
        from coach.rehearsals.external_recordings import register_recordings  # noqa: PLC0415
        from coach.research.coding.recordings.selectors import kept_recordings  # noqa: PLC0415
        from coach.research.exports import ledger  # noqa: PLC0415, F401 (its signals)

        register_recordings(kept_recordings)
