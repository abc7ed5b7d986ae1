"""The stages of runs: leased to one worker at a time, and queued when what they need is there."""

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
from coach.feedback.runs.fair_queue import Turns, shape_for, turns_of
from coach.lib.words.sentences import stored
from coach.lib.work import leases
from coach.lib.work.leases import Lease, LeaseLost
from coach.lib.work.queues import kind_of_work
from coach.rehearsals.services import lock_rehearsal

log = logging.getLogger(__name__)

_IN_LINE = (Stage.State.QUEUED, Stage.State.RUNNING)

WAKEUPS_AT_ONCE = 100
"""Of a long queue the sweeper enqueues those that wait longest: each that is done makes room."""

CUSTODY_AWAY = "custody_away"
"""Why a stage was put off: the note of one that waits, which pages put into words."""

UNTIL_ROOM = timedelta(minutes=5)
"""What nobody waits for is tried again after so long where the disk was full (rule of thumb)."""

RUNS_AT_ONCE = 20
"""Of one person's takes so many are looked at for what could be queued, the oldest first."""


def acquire(stage_id: int) -> Lease | None:
    """Take a stage that is free. None where it is not, or its run is over."""
    return leases.acquire(_going_on(), key=stage_id, **_afresh())


def acquire_next(queue: str) -> Lease | None:
    """Take the stage of a queue that is due first. None where nothing waits there."""
    return leases.acquire_first(in_line(queue), **_afresh())


def in_line(queue: str) -> QuerySet[Stage]:
    """What waits in a queue or is done there, whoever is due first at the beginning.

    As the index `stages_in_line` has it: the first one is found however many wait. What was put off
    a moment ago lets others go first.
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
    """Show how far the stage is. Raises LeaseLost."""
    if not lease.row.update(progress=min(max(share, 0.0), 1.0)):
        raise LeaseLost


@dataclass(frozen=True, slots=True, kw_only=True)
class StageEnd:
    """How a stage ended."""

    state: Stage.State
    seconds: float | None = None
    processor_seconds: float | None = None
    version: str = ""
    problem: Note | None = None
    report: Report | None = None


def finish(lease: Lease, outcome: StageEnd) -> None:
    """Write down how it ended. Raises LeaseLost, in which case nothing was written."""
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
    """Queue it again, for whoever comes next. Raises LeaseLost."""
    count = lease.row.update(
        state=Stage.State.QUEUED, lease=None, lease_until=None, queued_at=timezone.now()
    )
    if not count:
        raise LeaseLost


def put_off(lease: Lease, *, why: Note, pause: timedelta = timedelta(0)) -> None:
    """Queue it again without counting the try: what it needs is not there just now.

    Nobody is told at once; the sweeper enqueues again after the pause, until it is there. A lost
    lease is left be.
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
    """Says that something waits in a queue: whoever gets it takes what is due first there."""

    queue: str


def hold_run(run_id: UUID) -> Run | None:
    """The run, locked with its take until the transaction ends; None where it is gone.

    Whoever changes a run or deletes a take locks the take first, then the run, then its stages:
    with one order nobody waits for somebody who waits for them.
    """
    rehearsal_id = Run.objects.filter(pk=run_id).values_list("rehearsal", flat=True).first()
    if rehearsal_id is None or not lock_rehearsal(rehearsal_id):
        return None
    runs = Run.objects.select_for_update(of=("self",)).select_related("rehearsal")
    return runs.filter(pk=run_id).first()


def queue_ready(run: Run) -> list[Wakeup]:
    """Queue each stage whose needs are finished, within its owner's share of each queue.

    Call inside a transaction. A need that was skipped or failed is finished too: the stage works
    with what there is.
    """
    stages = list(Stage.objects.select_for_update().filter(run=run).order_by("position"))
    return _queue(run, stages, turns_of(run.rehearsal.owner_id), learned_costs())


@transaction.atomic
def queue_next(owner_id: int) -> list[Wakeup]:
    """Queue what waits among a person's takes, the oldest first, where their share has room.

    Who has many takes analysed thus stands in each queue no more often than anybody else: it is
    worked off in order, and others' stages come in between.
    """
    going_on = Run.objects.filter(rehearsal__owner=owner_id, state=Run.State.RUNNING)
    waiting = going_on.filter(stages__state=Stage.State.WAITING).distinct()
    runs = list(waiting.select_related("rehearsal").order_by("created_at")[:RUNS_AT_ONCE])
    if not runs:
        return []
    turns, costs, wakeups = turns_of(owner_id), learned_costs(), []
    for run in runs:
        # A run that somebody else works on just now is queued by them.
        free = Stage.objects.select_for_update(skip_locked=True).filter(run=run)
        wakeups += _queue(run, list(free.order_by("position")), turns, costs)
    return wakeups


def _queue(run: Run, stages: list[Stage], turns: Turns, costs: Costs) -> list[Wakeup]:
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
    """What nobody queued when a share became free: a take was deleted, a run failed."""
    waiting = Run.objects.filter(state=Run.State.RUNNING, stages__state=Stage.State.WAITING)
    owners = waiting.values_list("rehearsal__owner").annotate(since=Min("created_at"))
    return [
        wakeup
        for owner, _since in owners.order_by("since")[:WAKEUPS_AT_ONCE]
        for wakeup in queue_next(owner)
    ]


@transaction.atomic
def stale() -> list[Wakeup]:
    """What a dead worker or a lost broker left behind, to enqueue again."""
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
