"""Finished bundles that are not downloaded yet: deleted if a person in them withdraws."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.rehearsals.removals import remove_for_good
from coach.research.exports.ledger import bundles_with, has_withdrawn_people
from coach.research.exports.models import Export
from coach.storage import places


def waiting() -> QuerySet[Export]:
    """Return the bundles that wait for their download."""
    return Export.objects.filter(state=Export.State.DONE, removed_at=None, downloaded_at=None)


@transaction.atomic
def drop(*, export: Export) -> bool:
    """Delete the file, keeping the ledger's row; return whether it was still there."""
    now = timezone.now()
    if not Export.objects.filter(pk=export.pk, removed_at=None).update(removed_at=now):
        return False
    remove_for_good(places.bundle_place(export.pk))
    record_act(action="research.bundle_removed", target=export)
    return True


def drop_if_withdrawn(*, export: Export) -> bool:
    """Delete a bundle if it contains a withdrawn person; return whether it does."""
    if export.removed_at is not None or not has_withdrawn_people(export):
        return False
    drop(export=export)
    return True


def drop_withdrawn() -> int:
    """Delete all waiting bundles with withdrawn people; return their number."""
    return sum(drop_if_withdrawn(export=each) for each in waiting().select_related("study"))


def drop_with(*, user: User, since: datetime | None = None) -> int:
    """Delete waiting bundles that may contain a user's data since then; return their number.

    So deleted data cannot leave the site afterwards.
    """
    keys = [each.pk for each in bundles_with(user, since)]
    return sum(drop(export=each) for each in waiting().filter(pk__in=keys))
