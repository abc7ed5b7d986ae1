"""Removal from storage: saved in a transaction, done after it, retried until proven."""

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
"""The retention period of receipts, which contain no personal data (rule of thumb)."""

_AT_ONCE = 200


def remove_for_good(place: str) -> None:
    """Remove everything in a place from storage once this transaction commits.

    The request is saved in the same transaction, so an unavailable storage or a dead process
    only delays it.
    """
    removal = Removal.objects.create(place=place)
    transaction.on_commit(lambda: prove_removal(removal.pk))


def remove_upload(upload: Upload) -> None:
    """Delete an upload's row now, and its bytes once the transaction commits."""
    place = storage().upload_place(upload.pk)
    upload.delete()
    remove_for_good(place)


def prove_removal(pk: int) -> bool:
    """Perform a removal and verify it. Return whether it is proven; if not, it is retried."""
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
    """Save the receipt of a take or upload; delete the request for temporary files."""
    if not places.is_whole(removal.place):
        removal.delete()
        return
    Removal.objects.filter(pk=removal.pk).update(
        proven_at=timezone.now(), objects_removed=F("objects_removed") + objects
    )


def prove_removals() -> int:
    """Retry pending removals and delete old receipts. Return the number still pending."""
    # Failed removals come last, so that one that fails again does not block the others.
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
