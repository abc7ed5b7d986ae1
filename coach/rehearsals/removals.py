"""Removing from storage: asked for in a transaction, done after it, retried until proven."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from coach.rehearsals.models import Removal, Upload
from coach.storage import StorageUnavailable, places, storage

log = logging.getLogger(__name__)

_KEPT_DAYS = 400
"""A receipt says when, and nothing of whom; so long it can be asked for (rule of thumb)."""

_AT_ONCE = 200


def remove_for_good(place: str) -> None:
    """Remove everything in a place from storage once this transaction commits.

    That it is to be removed is written down with it: a storage that is away, or a process that
    dies, only delays it.
    """
    removal = Removal.objects.create(place=place)
    transaction.on_commit(lambda: prove_removal(removal.pk))


def remove_upload(upload: Upload) -> None:
    """Delete the row now, and the bytes once the transaction is committed."""
    place = storage().upload_place(upload.pk)
    upload.delete()
    remove_for_good(place)


def prove_removal(pk: int) -> bool:
    """Remove what was asked for and look again; False where it has to be tried later."""
    removal = Removal.objects.filter(pk=pk, proven_at=None).first()
    if removal is None:
        return True
    try:
        receipt = storage().remove(removal.place)
    except (StorageUnavailable, OSError) as problem:
        log.warning("%s could not be removed yet: %s", removal.place, problem)
        Removal.objects.filter(pk=pk).update(tries=F("tries") + 1)
        return False
    if not receipt.is_proven:
        log.error("%d objects are left at %s after removing it", receipt.left, removal.place)
        Removal.objects.filter(pk=pk).update(tries=F("tries") + 1)
        return False
    _write_down(removal, objects=receipt.objects)
    return True


def _write_down(removal: Removal, *, objects: int) -> None:
    """Of a take the receipt is kept; nobody asks for that of what only stages handed on."""
    if not places.is_whole(removal.place):
        removal.delete()
        return
    Removal.objects.filter(pk=removal.pk).update(
        proven_at=timezone.now(), objects_removed=F("objects_removed") + objects
    )


def prove_removals() -> int:
    """Try again what could not be removed; forget old receipts. Returns how many are left to do."""
    # What failed before comes last: one place that resists holds the others up no longer.
    waiting = Removal.objects.filter(proven_at=None).order_by("tries", "asked_at")
    todo = list(waiting.values_list("pk", flat=True)[:_AT_ONCE])
    left = 0
    for number, pk in enumerate(todo):
        if not prove_removal(pk):
            left = len(todo) - number
            break
    long_ago = timezone.now() - timedelta(days=_KEPT_DAYS)
    Removal.objects.filter(proven_at__lt=long_ago).delete()
    return left
