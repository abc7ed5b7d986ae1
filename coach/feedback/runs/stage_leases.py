"""Leases on the stages of runs, and queueing of stages whose dependencies are finished."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Min, Q, QuerySet
from django.utils import timezone

from analysis.plan import Costs
from analysis.results import Note, Report
from coach.feedback.models import Run, Stage
from coach.feedback.runs.costs import learned_costs
from coach.feedback.runs.fair_queue import QueueShare, queue_share_of, shape_for
from coach.lib.words.sentences import stored
from coach.lib.work import leases
from coach.lib.work.leases import Lease, LeaseLost
from coach.lib.work.queues import kind_of_work
from coach.rehearsals.services import lock_rehearsal

log = logging.getLogger(__name__)

_IN_LINE = (Stage.State.QUEUED, Stage.State.RUNNING)

WAKEUPS_AT_ONCE = 100
"""Number of stages that the sweeper enqueues from a long queue, oldest first: each finished one
makes room."""

CUSTODY_AWAY = "custody_away"
"""Reason code for a stage that waits for storage, which pages put into words."""

UNTIL_ROOM = timedelta(minutes=5)
"""Retry interval of background work after a full disk (rule of thumb)."""

RUNS_AT_ONCE = 20
"""Number of a person's runs that are checked for stages to queue, oldest first."""


def acquire(stage_id: int) -> Lease | None:
    """Lease a stage; None if it is not free or its run is over."""
    return leases.acquire(_going_on(), key=stage_id, **_afresh())


def acquire_next(queue: str) -> Lease | None:
    """Lease the stage of a queue that is due first; None if the queue is empty."""
    return leases.acquire_first(in_line(queue), **_afresh())


def in_line(queue: str) -> QuerySet[Stage]:
    """Return the queued and running stages of a queue, in the order of their due times.

    The query uses the index `stages_in_line`: the first stage is found however many wait. A stage
    that was put off a moment ago lets others go first.
    """
    now = timezone.now()
    moment = now - timedelta(seconds=settings.STAGE_LEASE_SECONDS)
    is_over = Q(queued_at__lt=moment) | Q(queued_at__gt=now + leases.LONGEST_PAUSE)
    here = _going_on().filter(queue=queue, state__in=_IN_LINE)
    return here.filter(Q(problem={}) | is_over).order_by("due_at")


def _going_on() -> QuerySet[Stage]:
    return Stage.objects.exclude(run__state=Run.State.FAILED)


def _afresh() -> dict[str, object]:
    return {"started_at": timezone.now(), "progress": 0, "problem": {}}


def report_progress(lease: Lease, share: float) -> None:
    """Store the progress of the stage. Raises LeaseLost."""
    if not lease.row.update(progress=min(max(share, 0.0), 1.0)):
        raise LeaseLost


@dataclass(frozen=True, slots=True, kw_only=True)
class StageEnd:
    """Result of a stage."""

    state: Stage.State
    seconds: float | None = None
    processor_seconds: float | None = None
    version: str = ""
    problem: Note | None = None
    report: Report | None = None
    early_report: Report | None = None


def finish(lease: Lease, outcome: StageEnd) -> None:
    """Store the result of a stage. Raises LeaseLost, in which case nothing was written."""
    count = lease.row.update(
        state=outcome.state,
        seconds=outcome.seconds,
        processor_seconds=outcome.processor_seconds,
        version=outcome.version,
        problem=stored(outcome.problem) if outcome.problem else {},
        progress=1,
        finished_at=timezone.now(),
        lease=None,
        lease_until=None,
    )
    if not count:
        raise LeaseLost


def give_back(lease: Lease) -> None:
    """Queue the stage again for any worker. Raises LeaseLost."""
    count = lease.row.update(
        state=Stage.State.QUEUED, lease=None, lease_until=None, queued_at=timezone.now()
    )
    if not count:
        raise LeaseLost


def postpone_stage(lease: Lease, *, why: Note, pause: timedelta = timedelta(0)) -> None:
    """Queue the stage again without counting the attempt, because a resource is not available.

    No worker is woken; the sweeper enqueues it again after the pause, until it succeeds. A lost
    lease is ignored.
    """
    lease.row.update(
        state=Stage.State.QUEUED,
        lease=None,
        lease_until=None,
        queued_at=timezone.now() + pause,
        attempts=F("attempts") - 1,
        problem=stored(why),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Wakeup:
    """Message that a queue has work: the worker that gets it takes the stage that is due first."""

    queue: str


def hold_run(run_id: UUID) -> Run | None:
    """Return the run, locked with its take until the transaction ends; None if it was deleted.

    Every writer locks the take first, then the run, then its stages: with one order there is no
    deadlock.
    """
    rehearsal_id = Run.objects.filter(pk=run_id).values_list("rehearsal", flat=True).first()
    if rehearsal_id is None or not lock_rehearsal(rehearsal_id):
        return None
    runs = Run.objects.select_for_update(of=("self",)).select_related("rehearsal")
    return runs.filter(pk=run_id).first()


def queue_ready(run: Run) -> list[Wakeup]:
    """Queue each stage whose dependencies are finished, within its owner's share of each queue.

    Call inside a transaction. A dependency that was skipped or failed is finished too: the stage
    works with what there is.
    """
    stages = list(Stage.objects.select_for_update().filter(run=run).order_by("position"))
    return _queue(run, stages, queue_share_of(run.rehearsal.owner_id), learned_costs())


@transaction.atomic
def queue_next(owner_id: int) -> list[Wakeup]:
    """Queue waiting stages of a person's takes, oldest first, as far as their share has room.

    A person with many takes thus has no more stages in a queue than others: their takes run in
    order, with others' stages in between.
    """
    going_on = Run.objects.filter(rehearsal__owner=owner_id, state=Run.State.RUNNING)
    waiting = going_on.filter(stages__state=Stage.State.WAITING).distinct()
    runs = list(waiting.select_related("rehearsal").order_by("created_at")[:RUNS_AT_ONCE])
    if not runs:
        return []
    turns, costs, wakeups = queue_share_of(owner_id), learned_costs(), []
    for run in runs:
        # A run that another process is working on is queued by that process.
        free = Stage.objects.select_for_update(skip_locked=True).filter(run=run)
        wakeups += _queue(run, list(free.order_by("position")), turns, costs)
    return wakeups


def _queue(run: Run, stages: list[Stage], turns: QueueShare, costs: Costs) -> list[Wakeup]:
    finished = {stage.name for stage in stages if stage.state in Stage.FINISHED}
    ready = []
    for stage in stages:
        is_ready = stage.state == Stage.State.WAITING and finished.issuperset(stage.needs)
        if is_ready and turns.has_room(kind_of_work(stage.queue)):
            turns.take(stage, shape_for(run), costs)
            ready.append(stage)
    Stage.objects.bulk_update(ready, ["state", "queue", "queued_at", "due_at", "expected_seconds"])
    return [Wakeup(queue=stage.queue) for stage in ready]


def left_waiting() -> list[Wakeup]:
    """Queue stages that were not queued when a share became free: a take was deleted, a run
    failed.
    """
    waiting = Run.objects.filter(state=Run.State.RUNNING, stages__state=Stage.State.WAITING)
    owners = waiting.values_list("rehearsal__owner").annotate(since=Min("created_at"))
    return [
        wakeup
        for owner, _since in owners.order_by("since")[:WAKEUPS_AT_ONCE]
        for wakeup in queue_next(owner)
    ]


@transaction.atomic
def stale() -> list[Wakeup]:
    """Return wakeups for stages left behind by a dead worker or a lost broker message."""
    stages = list(
        leases.stale(_going_on())
        .select_for_update(skip_locked=True, of=("self",))
        .order_by("queued_at")[:WAKEUPS_AT_ONCE]
    )
    told = Stage.objects.filter(pk__in=[each.pk for each in stages])
    told.update(enqueued_again_at=timezone.now())
    for stage in stages:
        log.info("enqueuing stage %s (%s) again", stage.pk, stage.state)
    return [Wakeup(queue=stage.queue) for stage in stages]
