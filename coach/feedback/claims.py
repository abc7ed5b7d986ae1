"""Stages as rows: claimed by conditional UPDATE, held by a lease, finished exactly once.

A row is the truth about a stage. Who holds its lease may work on it; every write names the lease,
so a worker that lost it (it was thought dead) can no longer change anything.
"""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from coach.feedback.models import Run, Stage

log = logging.getLogger(__name__)


class LeaseLost(Exception):
    """Another worker has this stage now, or its run is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """A stage that this worker holds."""

    stage_id: int
    lease: uuid.UUID


def claim(stage_id: int) -> Claimed | None:
    """Take a stage that is queued, or whose holder has let its lease run out.

    None where somebody else has it, it is finished, or its run is over.
    """
    now = timezone.now()
    lease = uuid.uuid4()
    free = Q(state=Stage.State.QUEUED) | Q(state=Stage.State.RUNNING, lease_until__lt=now)
    count = (
        Stage.objects.filter(free, pk=stage_id)
        .exclude(run__state=Run.State.FAILED)
        .update(
            state=Stage.State.RUNNING,
            attempts=F("attempts") + 1,
            lease=lease,
            lease_until=now + timedelta(seconds=settings.STAGE_LEASE_SECONDS),
            started_at=now,
            progress=0,
        )
    )
    return Claimed(stage_id=stage_id, lease=lease) if count else None


def _held(claimed: Claimed) -> Q:
    return Q(pk=claimed.stage_id, lease=claimed.lease, state=Stage.State.RUNNING)


def renew(claimed: Claimed) -> bool:
    """Prolong the lease; False where it is lost."""
    until = timezone.now() + timedelta(seconds=settings.STAGE_LEASE_SECONDS)
    return bool(Stage.objects.filter(_held(claimed)).update(lease_until=until))


def report_progress(claimed: Claimed, share: float) -> None:
    """Show how far the stage is. Raises LeaseLost."""
    share = min(max(share, 0.0), 1.0)
    if not Stage.objects.filter(_held(claimed)).update(progress=share):
        raise LeaseLost


@contextmanager
def heartbeat(claimed: Claimed) -> Iterator[None]:
    """Renew the lease from a thread while the stage computes; it dies with its process."""
    stop = threading.Event()

    def beat() -> None:
        try:
            while not stop.wait(settings.STAGE_LEASE_SECONDS / 3):
                if not renew(claimed):
                    return
        finally:
            connection.close()

    thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a stage ended."""

    state: Stage.State
    seconds: float | None = None
    version: str = ""
    problem: str = ""


def finish(claimed: Claimed, outcome: Outcome) -> None:
    """Write down how it ended. Raises LeaseLost, in which case nothing was written."""
    count = Stage.objects.filter(_held(claimed)).update(
        state=outcome.state,
        seconds=outcome.seconds,
        version=outcome.version,
        problem=outcome.problem,
        progress=1,
        finished_at=timezone.now(),
        lease=None,
        lease_until=None,
    )
    if not count:
        raise LeaseLost


@dataclass(frozen=True, slots=True, kw_only=True)
class Bell:
    """A stage to ring for, and the queue that it belongs to."""

    stage_id: int
    queue: str


def queue_ready(run: Run) -> list[Bell]:
    """Queue each waiting stage whose needs are finished; call inside a transaction.

    A need that was skipped or failed is finished too: the stage works with what there is.
    """
    stages = list(Stage.objects.select_for_update().filter(run=run).order_by("position"))
    finished = {stage.name for stage in stages if stage.state in Stage.FINISHED}
    ready = [
        stage
        for stage in stages
        if stage.state == Stage.State.WAITING and finished.issuperset(stage.needs)
    ]
    Stage.objects.filter(pk__in=[stage.pk for stage in ready]).update(
        state=Stage.State.QUEUED, queued_at=timezone.now()
    )
    return [Bell(stage_id=stage.pk, queue=stage.queue) for stage in ready]


@transaction.atomic
def forgotten() -> list[Bell]:
    """What a dead worker or a lost broker left behind, to ring for again.

    Stages that are queued for longer than a lease, and running ones whose lease ran out.
    """
    now = timezone.now()
    patience = now - timedelta(seconds=settings.STAGE_LEASE_SECONDS)
    lost = Q(state=Stage.State.QUEUED, queued_at__lt=patience) | Q(
        state=Stage.State.RUNNING, lease_until__lt=now
    )
    stages = list(
        Stage.objects.select_for_update(skip_locked=True, of=("self",))
        .filter(lost)
        .exclude(run__state=Run.State.FAILED)
    )
    Stage.objects.filter(pk__in=[each.pk for each in stages], state=Stage.State.QUEUED).update(
        queued_at=now
    )
    for stage in stages:
        log.info("ringing again for stage %s (%s)", stage.pk, stage.state)
    return [Bell(stage_id=stage.pk, queue=stage.queue) for stage in stages]
