"""Who works: processes that do something or did so lately, and those that were not seen yet."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from django.conf import settings

from coach.feedback.models import Run, Stage
from coach.feedback.runs.crew import machine_cores
from coach.feedback.runs.forecast import Hands
from coach.lib.work.holders import is_gone, machine_of
from coach.lib.work.queues import PROCESSES, WORKERS

_LATELY = timedelta(minutes=10)
_MOST_ROWS = 2_000
_TOLD_BY = ("holder", "queue", "attempts", "queued_at", "started_at", "finished_at")


def hands_now(begun: Sequence[Stage], now: datetime) -> Hands:
    """By worker its queues and its machine; `begun`: what is in somebody's hands, or was.

    Of each worker that the product is started with, as many processes are taken to be there as it
    has, also where only some of them have had anything to do lately.
    """
    queues = _seen(begun, now)
    machines = {worker: machine_of(worker) for worker in queues}
    usual = Counter(machines.values()).most_common(1)
    known = {queue for some in queues.values() for queue in some}
    for name, some in WORKERS.items():
        # Whoever takes queues of two workers was started otherwise: what was seen is all we know.
        members = [worker for worker, taken in queues.items() if taken <= set(some)]
        for worker in members:
            queues[worker] = set(some)
        if not members and known.issuperset(some):
            continue
        for number in range(len(members), PROCESSES.get(name, 1)):
            worker = f"{name} {number}"
            queues[worker] = set(some)
            machines[worker] = usual[0][0] if usual else ""
    return Hands(
        machines=machines,
        queues=queues,
        cores=machine_cores(),
        share=settings.STAGES_OF_A_PERSON,
    )


def is_lost(stage: Stage, now: datetime) -> bool:
    """Its worker has died: another takes it soon. `now` is the database's."""
    return stage.lease_until is None or stage.lease_until < now or is_gone(stage.holder)


def _seen(begun: Sequence[Stage], now: datetime) -> dict[str, set[str]]:
    """Processes that have a name here and are not known to have ended."""
    ended = Stage.objects.filter(state=Stage.State.DONE, finished_at__gt=now - _LATELY)
    newest = list(ended.order_by("-finished_at").only(*_TOLD_BY)[:_MOST_ROWS])
    found: defaultdict[str, set[str]] = defaultdict(set)
    for stage in (*begun, *newest):
        found[stage.holder].add(stage.queue)
    busy = {stage.holder for stage in begun if not is_lost(stage, now)}
    silent = {stage.holder for stage in begun} | _who_left_work(newest, found, now)
    return {who: what for who, what in found.items() if _is_there(who, busy, silent)}


def _is_there(who: str, busy: Collection[str], silent: Collection[str]) -> bool:
    return bool(who) and (who in busy or who not in silent) and not is_gone(who)


def _who_left_work(
    newest: Sequence[Stage], queues: Mapping[str, Collection[str]], now: datetime
) -> set[str]:
    """Processes that had nothing to do while something lay in a queue of theirs: they have died.

    Where the kernel cannot be asked, this is known as soon as somebody waits for them.
    """
    patience = timedelta(seconds=settings.STAGE_LEASE_SECONDS + 2 * settings.SWEEP_SECONDS)
    lay_until = _lay_until(newest, patience, now)
    idle_since: dict[str, datetime] = {}
    for stage in newest:
        if stage.finished_at is not None:
            idle_since.setdefault(stage.holder, stage.finished_at)
    return {
        who
        for who, since in idle_since.items()
        if any(lay_until.get(queue, since) - since > patience for queue in queues[who])
    }


def _lay_until(newest: Sequence[Stage], patience: timedelta, now: datetime) -> dict[str, datetime]:
    """By queue until when something has lain there for longer than a worker who is there lets it.

    What was begun more than once, or was put off, lay elsewhere in between.
    """
    lies = Stage.objects.filter(
        state=Stage.State.QUEUED, run__state=Run.State.RUNNING, attempts=0, problem={}
    ).filter(queued_at__lt=now - patience)
    found = dict.fromkeys(lies.order_by().values_list("queue", flat=True).distinct(), now)
    for stage in newest:
        if stage.attempts != 1 or stage.queued_at is None or stage.started_at is None:
            continue
        if stage.started_at - stage.queued_at > patience:
            found[stage.queue] = max(stage.started_at, found.get(stage.queue, stage.started_at))
    return found
