"""Registry of recordings in storage that are no takes: upper apps register theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

Recordings = Callable[[], QuerySet[Any]]
"""Returns rows whose bytes should be in storage, with `key`, their name there, and `sha256`."""

RECORDINGS: list[Recordings] = []


def register_recordings(recordings: Recordings) -> None:
    """Register the recordings of an app; its AppConfig calls this when Django is ready."""
    RECORDINGS.append(recordings)


def external_recordings() -> Iterable[QuerySet[Any]]:
    """Return the registered rows, one query set per app."""
    return [rows() for rows in RECORDINGS]


def known_to_others(keys: Iterable[UUID]) -> set[UUID]:
    """Return those of the keys that an upper app has a recording of."""
    wanted = list(keys)
    return {
        key
        for rows in external_recordings()
        for key in rows.filter(key__in=wanted).values_list("key", flat=True)
    }
