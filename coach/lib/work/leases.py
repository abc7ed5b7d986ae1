"""Leases on rows of work: acquired by a conditional UPDATE, finished exactly once.

The row is the source of truth. The holder of its lease may do the work; every write names the
lease, so a worker that lost it (it was thought dead) can no longer change anything. The database's
clock decides when a lease expires: those of machines differ.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connection, models, transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from coach.lib.work.lease_holders import is_gone, this_process
from coach.lib.work.outages import AWAY

log = logging.getLogger(__name__)

QUEUED, RUNNING = "queued", "running"
"""The two unfinished states of leased work; each model adds its own others."""

BEATS_IN_A_LEASE = 5
"""Renewals that may be late before another worker takes over (rule of thumb): a worker without
processor time for some seconds keeps its work."""

BEATS_OF_DOUBT = 1.25
"""Renewals to wait for before an expired lease is taken over. If a clock was set forward, or a
machine was suspended, all expire at once, and live workers renew theirs."""

LONGEST_PAUSE = timedelta(minutes=10)
"""Work is never put off for longer: a later time was stored before a clock was set back, and counts
as past."""

_LEAST_PAUSE_SECONDS = 0.2
_AWAY_PAUSE_SECONDS = 1.0


class LeaseLost(Exception):
    """A lease that another worker has now, or that was deleted."""


class Leased(models.Model):
    """Columns of a row of work. Its model has a `state` with at least the two above."""

    attempts = models.PositiveSmallIntegerField(default=0)
    # Changes each time that a worker takes it: a worker that lost its lease can no longer write.
    lease = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    # The process that holds it, if its machine can tell whether it still runs.
    holder = models.CharField(max_length=120, blank=True)
    # When the work was last enqueued again.
    enqueued_again_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A lease that this worker holds."""

    model: type[Leased]
    key: object
    token: uuid.UUID

    @property
    def row(self) -> models.QuerySet[Any]:
        """Return the row while the lease is ours, else an empty query set: every write goes
        through here.
        """
        ours = Q(pk=self.key, lease=self.token, state=RUNNING)
        return self.model._default_manager.filter(ours)  # noqa: SLF001 - Django's public name


def acquire(rows: models.QuerySet[Any], *, key: object, **changes: object) -> Lease | None:
    """Lease work that is queued, or whose holder has died or let its lease expire.

    None if another worker has it, it is finished, or `rows` does not include it.
    """
    return _acquire(rows, key, _not_renewed(rows.filter(pk=key)), changes)


def _acquire(
    rows: models.QuerySet[Any], key: object, lost: Collection[uuid.UUID], changes: dict[str, object]
) -> Lease | None:
    # The condition is on the row that is written, not only in the subquery that a join in `rows`
    # becomes: PostgreSQL re-evaluates the row after a concurrent write, but not a subquery. With a
    # join two workers have got the same work.
    allowed = rows.filter(pk=key).order_by().values("pk")
    row = _free(_row(rows, key), lost).filter(pk__in=allowed)
    return _take(row, key, changes)


def _row(rows: models.QuerySet[Any], key: object) -> models.QuerySet[Any]:
    row: models.QuerySet[Any] = rows.model._default_manager.filter(pk=key)  # noqa: SLF001
    return row


def _take(row: models.QuerySet[Any], key: object, changes: dict[str, object]) -> Lease | None:
    """Write a new lease into a row if it still matches; None if it does not."""
    token = uuid.uuid4()
    count = row.update(
        state=RUNNING,
        attempts=F("attempts") + 1,
        lease=token,
        lease_until=Now() + _lease_time(),
        holder=this_process(),
        enqueued_again_at=None,
        **changes,
    )
    return Lease(model=row.model, key=key, token=token) if count else None


_MOST_TRIES = 20
"""Attempts to lease the first row if others take it first: that many workers would have to ask at
the same moment."""


def acquire_first(rows: models.QuerySet[Any], **changes: object) -> Lease | None:
    """Lease the first free row, in their order; None if there is none.

    Rows that others lock at this moment are skipped while there are other rows: they are being
    leased. If there is no other row we wait for the lock, since its holder may be queueing the
    work.
    """
    for _try in range(_MOST_TRIES):
        lost = _not_renewed(rows)
        lease = _acquire_unlocked(rows, lost, changes)
        if lease is not None:
            return lease
        key = _free(rows, lost).values_list("pk", flat=True).first()
        if key is None and not _run_out(rows):
            return None
        lease = None if key is None else _acquire(rows, key, lost, changes)
        if lease is not None:
            return lease
    return None


@transaction.atomic
def _acquire_unlocked(
    rows: models.QuerySet[Any], lost: Collection[uuid.UUID], changes: dict[str, object]
) -> Lease | None:
    """Lease a row, locking only that one and waiting for no lock: a holder of several may
    go first.
    """
    free = _free(rows, lost).select_for_update(skip_locked=True, of=("self",))
    key = free.values_list("pk", flat=True).first()
    return None if key is None else _take(_row(rows, key), key, changes)


def _free(rows: models.QuerySet[Any], lost: Collection[uuid.UUID]) -> models.QuerySet[Any]:
    """Return the rows that are queued or whose holder has ended; `lost` as returned by
    `_not_renewed`.
    """
    free = Q(state=QUEUED) | (_HAS_RUN_OUT & Q(lease__in=lost))
    return rows.filter(free | Q(lease__in=_leases_of_dead_holders(rows)))


_HAS_RUN_OUT = Q(state=RUNNING, lease_until__lt=Now())


def _not_renewed(rows: models.QuerySet[Any]) -> set[uuid.UUID]:
    """Return the leases that have expired and are not being renewed.

    If the first row's lease has expired, this waits for its next renewal. Empty if another row
    comes first: that one is free at once.
    """
    found = _run_out(rows)
    first = _free(rows, found).values_list("lease", flat=True).first() if found else None
    if first not in found:
        return set()
    # A process that asks here is no longer working on anything it held before.
    if found[first] == this_process() or is_gone(found[first]):
        return {first}
    time.sleep(BEATS_OF_DOUBT * beat_seconds())
    return found.keys() & _run_out(rows).keys()


def _run_out(rows: models.QuerySet[Any]) -> dict[uuid.UUID, str]:
    """Return the holders of expired leases, by lease."""
    return dict(rows.filter(_HAS_RUN_OUT).order_by().values_list("lease", "holder"))


def _leases_of_dead_holders(rows: models.QuerySet[Any]) -> list[uuid.UUID]:
    """Return the leases whose holder has certainly ended."""
    running = rows.filter(state=RUNNING).order_by().values_list("lease", "holder")
    return [lease for lease, holder in running if is_gone(holder)]


def _lease_time() -> timedelta:
    return timedelta(seconds=settings.STAGE_LEASE_SECONDS)


def beat_seconds() -> float:
    """Return the seconds between two renewals."""
    return max(settings.STAGE_LEASE_SECONDS / BEATS_IN_A_LEASE, _LEAST_PAUSE_SECONDS)


def renew(lease: Lease) -> bool:
    """Extend the lease; return False if it is lost."""
    return bool(lease.row.update(lease_until=Now() + _lease_time()))


def is_silent(lease_until: datetime | None, now: datetime) -> bool:
    """Return whether the holder has missed more than two renewals and has probably died.

    For pages only; no worker takes over because of it. `now` is the database's time.
    """
    if lease_until is None:
        return False
    patience = timedelta(seconds=2.5 * beat_seconds())
    return lease_until - _lease_time() < now - patience


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimit:
    """Time limit of work in seconds, and what happens to a process that hangs in it.

    The lease is released first; `grace` seconds later, in which results may still be saved,
    `at_the_end` is called.
    """

    limit: float = float("inf")
    grace: float = 60.0
    at_the_end: Callable[[], None] | None = None


ENDLESS = TimeLimit()


@contextmanager
def heartbeat(lease: Lease, patience: TimeLimit = ENDLESS) -> Iterator[None]:
    """Renew the lease from a thread while this process works; the thread dies with the process.

    After its limit the lease is no longer renewed: work that hangs is given to another worker.
    """
    stop = threading.Event()
    thread = threading.Thread(
        target=_watch_over, args=(lease, stop, patience), name="heartbeat", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _watch_over(lease: Lease, stop: threading.Event, patience: TimeLimit) -> None:
    deadline = time.monotonic() + patience.limit
    _beat(lease, stop, deadline)
    if patience.at_the_end is None or patience.limit == float("inf"):
        return
    # Also if the lease was lost: a process that hangs in work that is another's must not continue.
    if not stop.wait(max(deadline - time.monotonic(), 0.0) + patience.grace):
        patience.at_the_end()


def _beat(lease: Lease, stop: threading.Event, deadline: float) -> None:
    pause = beat_seconds()
    try:
        while not stop.wait(pause):
            if time.monotonic() > deadline:
                log.error("%s takes longer than it may: its lease is given up", lease)
                return
            try:
                if not renew(lease):
                    return
                pause = beat_seconds()
            except AWAY as error:  # nobody else can take it either; be the first once it is back
                log.warning("the database is away, the lease is renewed later: %s", error)
                connection.close()
                pause = min(pause, _AWAY_PAUSE_SECONDS)
    finally:
        connection.close()


def stale(rows: models.QuerySet[Any]) -> models.QuerySet[Any]:
    """Return the rows to enqueue again after a dead worker or a lost broker message.

    These are rows that no worker took within a lease's time, and rows whose holder died or fell
    silent.
    """
    patience, ahead = Now() - _lease_time(), Now() + LONGEST_PAUSE
    is_due = Q(queued_at__lt=patience) | Q(queued_at__gt=ahead)
    lost = _HAS_RUN_OUT | Q(lease__in=_leases_of_dead_holders(rows))
    told_lately = Q(enqueued_again_at__gte=patience, enqueued_again_at__lte=ahead)
    return rows.filter(Q(enqueued_again_at=None) | ~told_lately, (Q(state=QUEUED) & is_due) | lost)


def stale_keys(rows: models.QuerySet[Any]) -> list[Any]:
    """Return the keys of stale work to enqueue, each at most once in a lease's time."""
    keys = list(stale(rows).values_list("pk", flat=True))
    rows.model._default_manager.filter(pk__in=keys).update(enqueued_again_at=Now())  # noqa: SLF001
    return keys
