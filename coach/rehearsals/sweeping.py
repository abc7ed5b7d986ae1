"""What lies in custody and what the database knows, held against each other.

A crash between the two leaves bytes that no row knows, never a row that lost its bytes: those are
reported, since they mean that somebody or something else touched the place.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from coach.rehearsals.custody import custody
from coach.rehearsals.custody.port import Holding
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.others import known_to_others, recordings_of_others
from coach.rehearsals.removals import remove_for_good

log = logging.getLogger(__name__)

GRACE_SECONDS = 3600.0
"""Younger ones may belong to a transaction that is still open."""

_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Places without a row, which were removed, and rows without bytes."""

    removed: tuple[str, ...]
    missing: tuple[UUID, ...]


def reconcile_custody() -> Found:
    """Remove what no row knows after a time of grace; say which rows have lost their bytes.

    Raises CustodyAway.
    """
    found = list(custody().holdings())
    removed = tuple(holding.place for some in _in_parts(found) for holding in _strangers(some))
    for place in removed:
        log.warning("removing %s, which nothing in the database belongs to", place)
        remove_for_good(place)
    missing = tuple(_without_bytes(found))
    if missing:
        log.error("the bytes of %d takes or uploads are not there: %s", len(missing), missing[:20])
    return Found(removed=removed, missing=missing)


def _in_parts(found: Sequence[Holding]) -> Iterator[Sequence[Holding]]:
    return (found[first : first + _AT_ONCE] for first in range(0, len(found), _AT_ONCE))


def _strangers(some: Sequence[Holding]) -> Iterator[Holding]:
    """Old ones that no recording and no upload that is still going on owns."""
    before = time.time() - GRACE_SECONDS
    owners = [holding.owner for holding in some]
    going_on = Upload.objects.exclude(state__in=[Upload.State.USED, Upload.State.EXPIRED])
    uploads = set(going_on.filter(pk__in=owners).values_list("pk", flat=True))
    takes = set(Rehearsal.any_kind.filter(pk__in=owners).values_list("pk", flat=True))
    kept = takes | known_to_others(owners)
    for holding in some:
        known = uploads if holding.is_upload else uploads | kept
        if holding.changed_at < before and holding.owner not in known:
            yield holding


def _without_bytes(found: Sequence[Holding]) -> Iterator[UUID]:
    there = {holding.owner for holding in found if holding.has_recording}
    own = Rehearsal.any_kind.exclude(kind=Kind.BEFORE)
    takes = own.filter(media_removed_at=None).values_list("pk", flat=True)
    waiting = Upload.objects.filter(state__in=Upload.WAITING, received_bytes__gt=0)
    others = [rows.values_list("key", flat=True) for rows in recordings_of_others()]
    for rows in (takes, waiting.values_list("pk", flat=True), *others):
        yield from (pk for pk in rows.iterator(chunk_size=_AT_ONCE) if pk not in there)
