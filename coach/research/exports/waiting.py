"""Bundles that were made and that nobody has fetched yet: who leaves takes them along."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.rehearsals.removals import remove_for_good
from coach.research.exports.ledger import bundles_with, somebody_left
from coach.research.exports.models import Export
from coach.storage import places


def waiting() -> QuerySet[Export]:
    """Those whose file lies here for whoever asked."""
    return Export.objects.filter(state=Export.State.DONE, removed_at=None, downloaded_at=None)


@transaction.atomic
def drop(*, export: Export) -> bool:
    """Remove the file; the ledger keeps the row. Whether it was still there."""
    now = timezone.now()
    if not Export.objects.filter(pk=export.pk, removed_at=None).update(removed_at=now):
        return False
    remove_for_good(places.bundle_place(export.pk))
    record_act(action="research.bundle_removed", target=export)
    return True


def drop_where_somebody_left(*, export: Export) -> bool:
    """Remove a bundle if it holds somebody who has withdrawn since; whether it does."""
    if export.removed_at is not None or not somebody_left(export):
        return False
    drop(export=export)
    return True


def drop_of_who_left() -> int:
    """The same of all that wait: not only once somebody comes to fetch one. Returns how many."""
    return sum(drop_where_somebody_left(export=each) for each in waiting().select_related("study"))


def drop_with(*, user: User, since: datetime | None = None) -> int:
    """What somebody deletes does not leave the site afterwards: bundles that wait and may hold it,
    made from then on, are removed. Returns how many."""
    keys = [each.pk for each in bundles_with(user, since)]
    return sum(drop(export=each) for each in waiting().filter(pk__in=keys))
