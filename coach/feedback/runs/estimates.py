"""Estimated time until a draft: a range, from the work due first and the usual cost by length.

The lower bound counts the work that is certainly done first: running stages, stages due before
those of this run, and earlier takes of the same person. The upper bound adds what fair queueing may
let pass, up to the same amount of work for each other person.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from analysis.plan import Costs, Plan, plan_for
from analysis.stage_roles import WORK
from coach.feedback.models import Run, Stage
from coach.feedback.runs.core_allocation import machine_cores
from coach.feedback.runs.costs import learned_costs
from coach.feedback.runs.fair_queue import PATIENCE, expected_seconds, shape_for
from coach.feedback.runs.lengths import usual_bytes_per_second
from coach.lib.work.database_clock import database_now
from coach.lib.work.lease_holders import is_gone, machine_of
from coach.lib.work.queues import kind_of_work

Why = Literal["", "again", "line", "slow"]
"""Why it takes far longer than was said: done again, others first, slower than usual."""

SHORTEST_RANGE_SECONDS = 60.0
"""A time below this is shown as one; somebody who comes now hardly delays it (rule of thumb)."""
_WIDE = 1.35
"""The longer time is shown too if it is at least so many times as long (rule of thumb)."""
_RESERVE = 1.25
"""The longer time allows for others who come in the meantime (rule of thumb)."""
_CLOSE_ENOUGH = 0.25
_LEAST_CHANGE_SECONDS = 8.0
"""What was said stays while it is right within a quarter or some seconds: a time that changes every
two seconds cannot be read (rule of thumb)."""
_LATE = 2.0
"""An excuse is made once it takes so many times as long as was said first (rule of thumb)."""
_LATELY = timedelta(minutes=10)
_LOOK_SECONDS = 3
_MOST_RUNS = 500
"""Runs that are read; times of later ones are longer in proportion (rule of thumb)."""
_UNFINISHED = (Stage.State.WAITING, Stage.State.QUEUED, Stage.State.RUNNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Estimated seconds until the draft: `least` and `most`, and how many of `least` are
    spent waiting.
    """

    least: float
    most: float
    waiting: float
    slowest: str
    """The stage that takes longest from now on."""
    is_worked_on: bool
    """Whether a worker has it, or works in a queue in which it stands."""
    weights: Mapping[str, float]
    """What each stage takes of the whole, in seconds, the finished ones too."""

    @property
    def is_range(self) -> bool:
        """Return whether the upper bound is worth showing next to the lower one."""
        return self.most >= SHORTEST_RANGE_SECONDS and self.most > _WIDE * self.least


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The estimate shown to a reader: earliest and latest end, and the first latest end shown.

    In seconds since 1970.
    """

    until: float
    latest: float
    first: float
    why: Why = ""

    @property
    def is_range(self) -> bool:
        """Return whether two times were shown."""
        return self.latest > self.until


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """One unfinished stage, in seconds of one core."""

    run: UUID
    person: int
    came: datetime
    kind: str
    seconds: float
    due: datetime | None
    """None: it does not stand in a queue yet."""
    runs_now: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Queues:
    """All unfinished work, and the workers for it."""

    works: Sequence[_Work]
    served: frozenset[str]
    processes: Mapping[str, int]
    """By kind of work how many processes did some lately."""
    machines: int
    share_seen: float
    """Of all runs, those that were looked at."""
    last_due: Mapping[tuple[int, str], datetime] = field(default_factory=dict)

    def seconds_for(self, works: Sequence[_Work]) -> float:
        """Return the seconds that the workers need for this work, limited by processes or
        by cores.
        """
        by_kind: defaultdict[str, float] = defaultdict(float)
        for work in works:
            by_kind[work.kind] += work.seconds
        if not by_kind:
            return 0.0
        longest = max(seconds / self.processes.get(kind, 1) for kind, seconds in by_kind.items())
        all_cores = self.machines * machine_cores()
        return max(longest, sum(by_kind.values()) / all_cores) / self.share_seen


def estimate(run: Run, stages: Sequence[Stage]) -> Estimate:
    """Return the estimate for a run, with the costs that this installation has learned."""
    costs = learned_costs()
    plan = plan_for(shape_for(run), machine_cores=machine_cores(), costs=costs)
    weights = {name: stage.seconds for name, stage in plan.stages.items()}
    is_over = run.state != Run.State.RUNNING  # one that failed has stages that nobody will end
    if is_over or all(stage.state in Stage.FINISHED for stage in stages):
        return Estimate(least=0, most=0, waiting=0, slowest="", is_worked_on=False, weights=weights)
    left = {stage.name: _left(stage, plan) for stage in stages}
    own = _own_seconds(left, plan)
    queues = _queues(int(time.monotonic() / _LOOK_SECONDS))
    before, perhaps = _ahead(run, stages, queues, costs)
    waiting = queues.seconds_for(before)
    longer = queues.seconds_for([*before, *perhaps])
    return Estimate(
        least=waiting + own,
        most=_RESERVE * longer + own if longer > 0 else own,
        waiting=waiting,
        slowest=max(left, key=lambda name: left[name]),
        is_worked_on=_is_worked_on(stages, queues),
        weights=weights,
    )


def forget_queues() -> None:
    """Clear the cached queues, so that the next estimate reads them again."""
    _queues.cache_clear()


def _left(stage: Stage, plan: Plan) -> float:
    """Return the remaining seconds of a stage that has the machine to itself.

    From a quarter of its progress on its own pace counts: it says more about this recording than
    the usual cost.
    """
    usual = plan.stages[stage.name].seconds if stage.name in plan.stages else 0.0
    if stage.state in Stage.FINISHED:
        return 0.0
    if stage.state != Stage.State.RUNNING or stage.started_at is None:
        return usual
    spent = max((timezone.now() - stage.started_at).total_seconds(), 0.0)
    if stage.progress >= _CLOSE_ENOUGH:
        return spent * (1 - stage.progress) / stage.progress
    return max(usual - spent, 0.1 * usual)


def _own_seconds(left: Mapping[str, float], plan: Plan) -> float:
    """Return the seconds for the stages of the run itself; stages that measure run in parallel."""
    whole = sum(each.seconds for each in plan.stages.values())
    share = sum(left.values()) / whole if whole else 0.0
    return max(plan.seconds * share, *left.values())


def _ahead(
    run: Run, stages: Sequence[Stage], queues: _Queues, costs: Costs
) -> tuple[list[_Work], list[_Work]]:
    """Return other runs' work that certainly comes before this run, and work that may."""
    person, due = run.rehearsal.owner_id, _due(run, stages, queues, costs)
    before: list[_Work] = []
    others: defaultdict[int, list[_Work]] = defaultdict(list)
    for work in queues.works:
        if work.run == run.pk:
            continue
        is_own = work.person == person
        if is_own and work.came > run.created_at:
            continue
        mine = due.get(work.kind)
        is_first = work.due is not None and mine is not None and work.due <= mine
        if is_own or work.runs_now or is_first:
            before.append(work)
        else:
            others[work.person].append(work)
    own = sum(work.seconds for work in before if work.person == person)
    shape = shape_for(run)
    own += sum(expected_seconds(stage.name, shape, costs) for stage in _known(stages))
    return before, [each for some in others.values() for each in _at_most(some, own)]


def _open(stages: Sequence[Stage]) -> list[Stage]:
    return [stage for stage in stages if stage.state in _UNFINISHED]


def _known(stages: Sequence[Stage]) -> list[Stage]:
    """Return the unfinished stages whose cost is known."""
    return [stage for stage in _open(stages) if stage.name in WORK]


def _due(run: Run, stages: Sequence[Stage], queues: _Queues, costs: Costs) -> dict[str, datetime]:
    """Return when the run's stage is due, by kind of work, or would be if it were queued now."""
    shape, now, found = shape_for(run), timezone.now(), {}
    for stage in _known(stages):
        kind = kind_of_work(stage.queue)
        patience = timedelta(seconds=PATIENCE * expected_seconds(stage.name, shape, costs))
        begin = max(now, queues.last_due.get((run.rehearsal.owner_id, kind), now))
        found[kind] = stage.due_at or begin + patience
    return found


def _at_most(works: Sequence[_Work], seconds: float) -> list[_Work]:
    """Return the first works up to this many seconds, the most that fair queueing lets pass
    per person.
    """
    found, left = [], seconds
    for work in works:
        if left <= 0:
            break
        found.append(replace(work, seconds=min(work.seconds, left)))
        left -= work.seconds
    return found


@lru_cache(maxsize=1)
def _queues(_tick: int) -> _Queues:
    """Return all waiting work, read once in a few seconds by each process."""
    costs, usual, now = learned_costs(), usual_bytes_per_second(), database_now()
    going_on = Run.objects.filter(state=Run.State.RUNNING)
    runs = {
        each.pk: each
        for each in going_on.select_related("rehearsal").order_by("created_at")[:_MOST_RUNS]
    }
    stages = Stage.objects.filter(run__in=runs, state__in=_UNFINISHED).order_by("due_at")
    copies = Stage.objects.filter(
        run__state=Run.State.DONE, state__in=(Stage.State.QUEUED, Stage.State.RUNNING)
    ).select_related("run__rehearsal")
    works: list[_Work] = []
    last_due: dict[tuple[int, str], datetime] = {}
    held: set[str] = set()
    for stage in (*stages, *copies[:_MOST_RUNS]):
        run = runs.get(stage.run_id) or stage.run
        if stage.name not in WORK:  # a stage that a site has added: nobody knows its cost
            continue
        work = _work(run, stage, expected_seconds(stage.name, shape_for(run, usual), costs))
        if stage.state == Stage.State.RUNNING and not _is_lost(stage, now):
            held.add(stage.queue)
            # Work of a dead worker is done again.
            work = replace(work, seconds=work.seconds * (1 - stage.progress), runs_now=True)
        if work.due is not None:
            key = (work.person, work.kind)
            last_due[key] = max(work.due, last_due.get(key, work.due))
        works.append(work)
    count = going_on.count() if len(runs) == _MOST_RUNS else len(runs)
    seen = _seen_lately()
    return _Queues(
        works=works,
        served=frozenset(held),
        processes={kind: len(holders) for kind, holders in seen.items()},
        machines=max(len({machine_of(each) for some in seen.values() for each in some}), 1),
        share_seen=len(runs) / count if count else 1.0,
        last_due=last_due,
    )


def _work(run: Run, stage: Stage, seconds: float) -> _Work:
    return _Work(
        run=run.pk,
        person=run.rehearsal.owner_id,
        came=run.created_at,
        kind=kind_of_work(stage.queue),
        seconds=seconds,
        due=None if stage.state == Stage.State.WAITING else stage.due_at,
        runs_now=False,
    )


def _is_lost(stage: Stage, now: datetime) -> bool:
    """Return whether its worker has died. `now` is the database's time."""
    return stage.lease_until is None or stage.lease_until < now or is_gone(stage.holder)


def _seen_lately() -> dict[str, set[str]]:
    """Return the processes that worked recently and have not ended, by kind of work."""
    recent = Q(finished_at__gt=timezone.now() - _LATELY) | Q(state=Stage.State.RUNNING)
    rows = Stage.objects.filter(recent).exclude(holder="").order_by()
    found: defaultdict[str, set[str]] = defaultdict(set)
    for holder, queue in rows.values_list("holder", "queue").distinct():
        if not is_gone(holder):
            found[kind_of_work(queue)].add(holder)
    return found


def _is_worked_on(stages: Sequence[Stage], queues: _Queues) -> bool:
    in_line = [
        stage for stage in stages if stage.state in {Stage.State.QUEUED, Stage.State.RUNNING}
    ]
    if in_line:
        return any(
            stage.state == Stage.State.RUNNING or stage.queue in queues.served for stage in in_line
        )
    # Earlier takes of the same person go first.
    kinds = {kind_of_work(queue) for queue in queues.served}
    return any(kind_of_work(stage.queue) in kinds for stage in _open(stages))


def said_now(
    found: Estimate, before: Said | None, stages: Sequence[Stage], *, began: datetime
) -> Said:
    """Return the estimate to show: the previous one while it is still right, else the new one.

    A reason is given once the run takes twice as long as the first estimate.
    """
    now = timezone.now().timestamp()
    most = found.most if found.is_range else found.least
    fresh = Said(until=now + found.least, latest=now + most, first=now + most)
    if before is None:
        return fresh
    if _is_close(before.until - now, found.least) and _is_close(before.latest - now, most):
        return before
    since = began.timestamp()
    is_late = fresh.latest - since > _LATE * (before.first - since)
    return replace(fresh, first=before.first, why=_why(found, stages) if is_late else "")


def _is_close(said: float, found: float) -> bool:
    return abs(found - said) <= max(_CLOSE_ENOUGH * max(said, found), _LEAST_CHANGE_SECONDS)


def _why(found: Estimate, stages: Sequence[Stage]) -> Why:
    going_on = _open(stages)
    if any(stage.attempts > 1 or (stage.attempts and _is_back(stage)) for stage in going_on):
        return "again"
    return "line" if found.waiting > _CLOSE_ENOUGH * found.least else "slow"


def _is_back(stage: Stage) -> bool:
    """Return whether the stage was started before and is queued again."""
    return stage.state == Stage.State.QUEUED
