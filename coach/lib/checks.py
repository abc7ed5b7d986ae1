"""Django system checks of the message catalogues."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage
from django.core.checks import Warning as Complaint

from coach.lib.catalogues import LANGUAGES
from coach.lib.catalogues.files import is_stale


def catalogues_are_compiled(**_kwargs: Any) -> list[CheckMessage]:
    """Warn if a catalogue is not compiled: pages would silently fall back to English."""
    return [
        Complaint(
            f"The catalogue of {language!r} is not compiled, or newer than what is compiled.",
            hint="Run: python -m coach.lib.catalogues compile",
            id="rostrum.W001",
        )
        for language in LANGUAGES
        if is_stale(language)
    ]
