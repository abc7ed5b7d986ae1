"""What lies on the disk and what the database knows, held against each other.

A crash between the two leaves bytes that no row knows, never a row that lost its bytes: those are
reported, since they mean that somebody or something else touched the folder.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from coach.rehearsals.models import Rehearsal, Upload

log = logging.getLogger(__name__)

GRACE_SECONDS = 3600.0
"""Younger ones may belong to a transaction that is still open."""

_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Bytes without a row, which were removed, and rows without bytes."""

    removed: tuple[Path, ...]
    missing: tuple[UUID, ...]


def reconcile_custody() -> Found:
    """Remove what no row knows after a time of grace; say which rows have lost their bytes."""
    root = Path(settings.MEDIA_ROOT)
    removed = (
        *_remove_strangers(_old(root / "rehearsals"), Rehearsal.objects.all()),
        *_remove_strangers(
            _old(root / "uploads"),
            Upload.objects.exclude(state__in=[Upload.State.USED, Upload.State.EXPIRED]),
        ),
    )
    missing = tuple(_without_bytes())
    for path in removed:
        log.warning("removed %s, which nothing in the database belongs to", path)
    if missing:
        log.error("the bytes of %d takes or uploads are not there: %s", len(missing), missing[:20])
    return Found(removed=removed, missing=missing)


def _old(folder: Path) -> list[tuple[UUID, Path]]:
    """What is named after a row, and older than the time of grace; anything else is not ours."""
    before = time.time() - GRACE_SECONDS
    found = []
    for path in folder.iterdir() if folder.is_dir() else ():
        try:
            if path.lstat().st_mtime < before:
                found.append((UUID(path.name.removesuffix(".part")), path))
        except (ValueError, FileNotFoundError):
            continue
    return found


def _remove_strangers(
    candidates: list[tuple[UUID, Path]], rows: QuerySet[Any, Any]
) -> Iterator[Path]:
    for first in range(0, len(candidates), _AT_ONCE):
        some = candidates[first : first + _AT_ONCE]
        known = set(rows.filter(pk__in=[key for key, _path in some]).values_list("pk", flat=True))
        for key, path in some:
            if key not in known:
                _remove(path)
                yield path


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _without_bytes() -> Iterator[UUID]:
    for take in Rehearsal.objects.only("pk", "media").iterator(chunk_size=_AT_ONCE):
        if not Path(take.media.path).exists():
            yield take.pk
    waiting = Upload.objects.filter(state__in=Upload.WAITING, received_bytes__gt=0)
    for upload in waiting.only("pk").iterator(chunk_size=_AT_ONCE):
        if not upload.path.exists():
            yield upload.pk
