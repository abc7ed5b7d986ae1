"""Deletion receipts: what was deleted, the proof that it is gone, and possible remaining copies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from coach.accounts.models import User
from coach.lib.cascade import rows_left, rows_with
from coach.portal.models import Receipt
from coach.rehearsals.models import Rehearsal, Removal
from coach.rehearsals.services import delete_rehearsal
from coach.research.coding.recordings.selectors import recordings_of
from coach.research.exports.ledger import copies_with
from coach.research.exports.pending_bundles import drop_with
from coach.research.studies.locks import hold_studies_of
from coach.storage import StorageUnavailable, places, storage

KEPT_DAYS = 400
"""As long as the storage keeps its own proof (`coach.rehearsals.removals`; rule of thumb)."""


def draft_of(user: User) -> Receipt:
    """Return an unsaved receipt for all data of a person; call before the deletion."""
    takes = list(Rehearsal.any_kind.filter(owner=user).values_list("pk", flat=True))
    recorded = recordings_of(user).filter(removed_at=None).exclude(media_key=None)
    interviews = recorded.values_list("media_key", flat=True)
    return Receipt(
        what=Receipt.What.EVERYTHING,
        takes=takes,
        interviews=list(interviews),
        rows=dict(rows_with(user)),
        copies=[asdict(each) for each in copies_with(user)],
    )


def write_receipt(draft: Receipt, *, left: Mapping[str, int]) -> Receipt:
    """Save the receipt after the deletion; `left` counts the rows still found then."""
    draft.rows_left = sum(left.values())
    draft.save()
    return draft


@transaction.atomic
def delete_take(*, rehearsal: Rehearsal) -> Receipt:
    """Delete a take for its owner and return a receipt.

    Raises ValidationError if a hold prevents it.
    """
    hold_studies_of(rehearsal.owner)
    # Redone parts of the take are deleted with it.
    spans = Rehearsal.any_kind.filter(parent=rehearsal).values_list("pk", flat=True)
    keys = [rehearsal.pk, *spans]
    draft = Receipt(
        what=Receipt.What.TAKE,
        owner=rehearsal.owner,
        takes=keys,
        rows=dict(rows_with(rehearsal)),
        copies=[asdict(each) for each in copies_with(rehearsal.owner, since=rehearsal.created_at)],
    )
    delete_rehearsal(rehearsal=rehearsal)
    drop_with(user=rehearsal.owner, since=rehearsal.created_at)
    return write_receipt(draft, left=rows_left(Rehearsal, keys))


def receipts_for(user: User | None) -> QuerySet[Receipt]:
    """Return the receipts that a user may read: their own, and those of deleted accounts."""
    nameless = Q(owner=None, what=Receipt.What.EVERYTHING)
    return Receipt.objects.filter(nameless | Q(owner=user) if user else nameless)


def receipts_of(user: User) -> QuerySet[Receipt]:
    """Return the receipts of a user's deletions, newest first."""
    return Receipt.objects.filter(owner=user)


def found_now(receipt: Receipt) -> Counter[str]:
    """Count the rows that still are, or refer to, a deleted take."""
    return rows_left(Rehearsal, receipt.takes)


def objects_now(receipt: Receipt) -> int | None:
    """Return the number of files of its takes still in storage; None if storage cannot be
    reached.
    """
    try:
        return sum(len(list(storage().names(place))) for place in _places(receipt))
    except (StorageUnavailable, OSError):
        return None


def removals_of(receipt: Receipt) -> QuerySet[Removal]:
    """Return the storage's own records of deleting its takes."""
    return Removal.objects.filter(place__in=_places(receipt))


def _places(receipt: Receipt) -> list[str]:
    return [places.take_place(key) for key in (*receipt.takes, *receipt.interviews)]


def forget_receipts() -> int:
    """Delete receipts whose retention period is over; return their number."""
    over = Receipt.objects.filter(made_at__lt=timezone.now() - timedelta(days=KEPT_DAYS))
    return over.delete()[0]
