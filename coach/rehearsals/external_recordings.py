"""Recordings in storage that are no takes: upper apps name theirs (`settings.OTHER_RECORDINGS`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.utils.module_loading import import_string


def external_recordings() -> Iterator[QuerySet[Any]]:
    """Rows whose bytes should be there: `key`, under which they lie, and `sha256`."""
    for name in settings.OTHER_RECORDINGS:
        yield import_string(name)()


def known_to_others(keys: Iterable[UUID]) -> set[UUID]:
    """Which of these an upper app keeps a recording of."""
    wanted = list(keys)
    return {
        key
        for rows in external_recordings()
        for key in rows.filter(key__in=wanted).values_list("key", flat=True)
    }
