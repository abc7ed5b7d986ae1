"""Comparison of storage with the database.

A crash between the two leaves bytes without a row, never a row without bytes. Such rows are
reported, because they mean outside interference with the storage. If many files are unknown,
the database is probably a different one: an older backup, or an empty one.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.core.cache import cache
from django.db import DatabaseError

from coach.lib.web.health import NOT_LOOKED_AT, OK
from coach.rehearsals.external_recordings import external_recordings, known_to_others
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import Rehearsal, Removal, Upload
from coach.rehearsals.removals import remove_for_good
from coach.storage import storage
from coach.storage.port import Holding

log = logging.getLogger(__name__)

GRACE_SECONDS = 3600.0
"""The minimum age for deletion: younger files may belong to an open transaction."""

_AT_ONCE = 500
FEW_UNKNOWN = 3
"""The number of unknown places that crashes can leave, or a tenth of all if that is more; rule of
thumb."""
_FOUND = "rehearsals.custody-found"
_FOUND_STANDS_SECONDS = 2 * 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The result of a comparison: places without a row, removed or kept, and rows without bytes.

    `removed` of `verify_storage` are those that the next sweep removes.
    """

    removed: tuple[str, ...]
    missing: tuple[UUID, ...]
    kept: tuple[str, ...] = ()
    """Unknown places, kept because they are too many for leftovers of crashes."""
    places: int = 0
    """The total number of places."""


def reconcile_storage(*, removes_many: bool = False) -> Found:
    """Remove places without a row after the grace period; report rows without bytes.

    If there are many, they are removed only on request (`removes_many`). Raises
    StorageUnavailable.
    """
    found = verify_storage(removes_many=removes_many)
    if found.kept:
        log.error(
            "%d of %d places belong to nothing in the database, so it may not be the one that "
            "belongs to them: none is removed. Once you know that they are nobody's: manage.py "
            "custody sweep",
            *(len(found.kept), found.places),
        )
    for place in found.removed:
        log.warning("removing %s, which nothing in the database belongs to", place)
        remove_for_good(place)
    if found.missing:
        log.error(
            "the bytes of %d takes or uploads are not there: %s",
            *(len(found.missing), found.missing[:20]),
        )
    return found


def verify_storage(*, removes_many: bool = False) -> Found:
    """Compare now without removing, and cache the result for `check_recordings`.

    Raises StorageUnavailable.
    """
    holdings = list(storage().holdings())
    strangers = [holding for some in _in_parts(holdings) for holding in _strangers(some)]
    unknown = [] if removes_many else _unknown(strangers, of=len(holdings))
    kept = tuple(holding.place for holding in unknown)
    spared = set(kept)
    removed = tuple(each.place for each in strangers if each.place not in spared)
    missing = tuple(_without_bytes(holdings))
    cache.set(_FOUND, (len(kept), len(missing)), timeout=_FOUND_STANDS_SECONDS)
    return Found(removed=removed, missing=missing, kept=kept, places=len(holdings))


def check_recordings() -> str:
    """Return the result of the last comparison in a few words, for monitoring."""
    try:
        found = cache.get(_FOUND)
    except DatabaseError:
        return "is not known"
    if found is None:
        return NOT_LOOKED_AT
    unknown, missing = found
    if unknown:
        return f"{unknown} belong to nothing in the database"
    return f"{missing} are missing" if missing else OK


def _unknown(strangers: Sequence[Holding], *, of: int) -> list[Holding]:
    """Return the places whose owner was never in this database, if too many for leftovers."""
    owners = [holding.owner for holding in strangers]
    ended = set(Upload.objects.filter(pk__in=owners).values_list("pk", flat=True))
    unknown = [holding for holding in strangers if holding.owner not in ended]
    knows_any = Rehearsal.any_kind.exists() or Upload.objects.exists()
    is_much = len(unknown) > max(FEW_UNKNOWN, of // 10) or not knows_any
    return unknown if is_much else []


def _in_parts(found: Sequence[Holding]) -> Iterator[Sequence[Holding]]:
    return (found[first : first + _AT_ONCE] for first in range(0, len(found), _AT_ONCE))


def _strangers(some: Sequence[Holding]) -> Iterator[Holding]:
    """Yield old places that no recording or current upload owns and no pending removal covers.

    Pending removals are retried every minute anyway.
    """
    before = time.time() - GRACE_SECONDS
    owners = [holding.owner for holding in some]
    going_on = Upload.objects.exclude(state__in=[Upload.State.USED, Upload.State.EXPIRED])
    uploads = set(going_on.filter(pk__in=owners).values_list("pk", flat=True))
    takes = set(Rehearsal.any_kind.filter(pk__in=owners).values_list("pk", flat=True))
    kept = takes | known_to_others(owners)
    asked = Removal.objects.filter(proven_at=None, place__in=[holding.place for holding in some])
    going = set(asked.values_list("place", flat=True))
    for holding in some:
        known = uploads if holding.is_upload else uploads | kept
        is_known = holding.owner in known or holding.place in going
        if holding.changed_at < before and not is_known:
            yield holding


def _without_bytes(found: Sequence[Holding]) -> Iterator[UUID]:
    there = {holding.owner for holding in found if holding.has_recording}
    own = Rehearsal.any_kind.exclude(kind=Kind.BEFORE)
    takes = own.filter(media_removed_at=None, original_removed_at=None).values_list("pk", flat=True)
    waiting = Upload.objects.filter(state__in=Upload.WAITING, received_bytes__gt=0)
    others = [rows.values_list("key", flat=True) for rows in external_recordings()]
    for rows in (takes, waiting.values_list("pk", flat=True), *others):
        yield from (pk for pk in rows.iterator(chunk_size=_AT_ONCE) if pk not in there)
