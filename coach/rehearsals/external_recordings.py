"""Registry of stored recordings other than takes, filled by higher-level apps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

Recordings = Callable[[], QuerySet[Any]]
"""A function that returns rows with a stored recording: `key`, its name, and `sha256`."""

RECORDINGS: list[Recordings] = []


def register_recordings(recordings: Recordings) -> None:
    """Register the recordings of an app; its AppConfig calls this when Django is ready."""
    RECORDINGS.append(recordings)


def external_recordings() -> Iterable[QuerySet[Any]]:
    """Return the registered rows, as one query set per app."""
    return [rows() for rows in RECORDINGS]


def known_to_others(keys: Iterable[UUID]) -> set[UUID]:
    """Return the keys for which a higher-level app has a recording."""
    wanted = list(keys)
    return {
        key
        for rows in external_recordings()
        for key in rows.filter(key__in=wanted).values_list("key", flat=True)
    }
