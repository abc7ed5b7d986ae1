"""What stands in line and who works on it, and when everybody who waits will be done.

One look at the database serves all who ask within two seconds in a process: a thousand people who
watch their analyses cost no more than one.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Max
from django.utils import timezone

from analysis.plan import Costs, Plan, gain, plan_for
from coach.feedback.models import Run, Stage
from coach.feedback.runs.crew import crowded, machine_cores
from coach.feedback.runs.forecast import Foreseen, Hands, Key, Task, forecast
from coach.feedback.runs.turns import PATIENCE, expected_seconds, queue_for, shape_for
from coach.lib.holders import is_gone, machine_of
from coach.lib.queues import PROCESSES, WORKERS, kind_of_work, weight_of

_KEPT_SECONDS = 2.0
_KEPT_TIMES = 20.0
"""A look that took long is kept so many times as long, so that looking takes a twentieth of a
process at most."""
_MOST_RUNS = 300
"""So many are played ahead, whoever is due first; of those after them it is said that as many come
to their end in the same time."""
_MOST_ROWS = 2_000
_LATELY = timedelta(minutes=10)
_BESIDE = "playback"
"""Most recordings need no copy, which is seen at once: it counts only while one is made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """As it was at a moment."""

    at: datetime
    foreseen: Mapping[Key, Foreseen] = field(default_factory=dict)
    served: frozenset[str] = frozenset()
    """Queues in which somebody works just now."""
    horizon: float = 0.0
    """When all of those that were played ahead are done."""
    further: int = 0
    """Runs that were not."""

    def beyond(self) -> float:
        """Seconds until somebody is done who comes after all that were played ahead."""
        return self.horizon * (1 + self.further / _MOST_RUNS)


_seen: dict[str, tuple[float, Line]] = {}


def line_for(run: Run, costs: Costs) -> Line:
    """As it was a few seconds ago at most, or just now for a run that has come since."""
    until, line = _seen.get("line", (0.0, None))
    is_new = line is not None and run.pk not in line.foreseen and run.created_at > line.at
    if line is None or is_new or time.monotonic() > until:
        began = time.monotonic()
        line = _look(costs)
        took = time.monotonic() - began
        _seen["line"] = (began + took + max(_KEPT_SECONDS, _KEPT_TIMES * took), line)
    return line


def forget_line() -> None:
    """The next one who asks looks again."""
    _seen.clear()


def _look(costs: Costs) -> Line:
    now = timezone.now()
    in_line = Stage.objects.filter(state__in=(Stage.State.QUEUED, Stage.State.RUNNING))
    first = in_line.filter(run__state=Run.State.RUNNING).order_by("due_at")
    keys = list(dict.fromkeys(first.values_list("run", flat=True)[:_MOST_ROWS]))[:_MOST_RUNS]
    going_on = Run.objects.filter(state=Run.State.RUNNING)
    oldest = going_on.order_by("created_at").values_list("pk", flat=True)[:_MOST_RUNS]
    keys = list(dict.fromkeys([*keys, *oldest]))[:_MOST_RUNS]
    runs = list(going_on.filter(pk__in=keys).select_related("rehearsal").order_by("created_at"))
    stages = _stages_of(keys)
    running = [
        stage for some in stages.values() for stage in some if stage.state == Stage.State.RUNNING
    ]
    hands = _hands(running, now)
    load = _Load.of([stage for stage in running if not _is_lost(stage, now)])
    tasks = [
        task
        for run in runs
        for task in _tasks(run, stages.get(run.pk, []), costs=costs, load=load, now=now)
    ]
    played = forecast(tasks, hands, _due_last(runs, now))
    further = going_on.count() - len(runs) if len(runs) == _MOST_RUNS else 0
    return Line(
        at=now,
        foreseen={key: each for key, each in played.foreseen.items() if played.ends(key)},
        served=frozenset(stage.queue for stage in running),
        horizon=played.now,
        further=further,
    )


def _stages_of(keys: Sequence[UUID]) -> dict[UUID, list[Stage]]:
    found: defaultdict[UUID, list[Stage]] = defaultdict(list)
    for stage in Stage.objects.filter(run__in=keys).order_by("run", "position"):
        found[stage.run_id].append(stage)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Load:
    """Cores that are held, by machine, each by how much it counts."""

    held: Mapping[str, float]

    @classmethod
    def of(cls, running: Iterable[Stage]) -> _Load:
        """What these stages hold."""
        held: defaultdict[str, float] = defaultdict(float)
        for stage in running:
            held[machine_of(stage.holder)] += stage.cores * weight_of(stage.queue)
        return cls(held=held)

    def slowness(self, stage: Stage) -> float:
        """How many times as long as alone a stage takes since others compute beside it."""
        return crowded(self.held.get(machine_of(stage.holder), 0) / weight_of(stage.queue), 0)


def _is_lost(stage: Stage, now: datetime) -> bool:
    """Its worker has died: another takes it soon."""
    return stage.lease_until is None or stage.lease_until < now or is_gone(stage.holder)


def _tasks(
    run: Run, stages: Sequence[Stage], *, costs: Costs, load: _Load, now: datetime
) -> list[Task]:
    """What is left to do about a run."""
    shape = shape_for(run)
    plan = plan_for(shape, machine_cores=machine_cores(), costs=costs)
    ended = {stage.name for stage in stages if stage.state in Stage.FINISHED}
    return [
        _task(
            run,
            stage,
            ended,
            alone=expected_seconds(stage.name, shape, costs),
            cores=plan.stages[stage.name].cores if stage.name in plan.stages else 1,
            load=load,
            now=now,
        )
        for stage in stages
        if stage.state not in Stage.FINISHED and _counts(stage, plan)
    ]


def _counts(stage: Stage, plan: Plan) -> bool:
    return stage.name in plan.stages or (
        stage.name == _BESIDE and stage.state == Stage.State.RUNNING
    )


def _task(
    run: Run, stage: Stage, ended: set[str], *, alone: float, cores: int, load: _Load, now: datetime
) -> Task:
    kind = kind_of_work(stage.queue)
    task = Task(
        run=run.pk,
        person=run.rehearsal.owner_id,
        name=stage.name,
        kind=kind,
        queue=stage.queue,
        needs=set(stage.needs) - ended,
        seconds=alone,
        cores=cores,
        patience=PATIENCE * alone,
        weight=weight_of(stage.queue),
        is_awaited=stage.name != _BESIDE,
    )
    if stage.state == Stage.State.WAITING:
        task.queue = queue_for(kind, alone)
        task.weight = weight_of(task.queue)
    elif stage.state == Stage.State.QUEUED or _is_lost(stage, now):
        task.due = (stage.due_at - now).total_seconds() if stage.due_at else task.patience
    else:
        task.cores, task.worker = stage.cores, stage.holder
        spent = (now - (stage.started_at or now)).total_seconds() / load.slowness(stage)
        task.left = _left(stage.progress, spent, alone / gain(stage.name, stage.cores))
    return task


def _left(done: float, spent: float, usual: float) -> float:
    """The further it is, the more its own pace counts, and the less what is usual."""
    if done <= 0:
        return max(usual - spent, 0.1 * usual)
    own_pace = spent * (1 - done) / done
    return (1 - done) * (usual * (1 - done)) + done * own_pace


def _hands(running: Sequence[Stage], now: datetime) -> Hands:
    """Workers that do something or did so lately; one of each kind where none was seen."""
    queues: defaultdict[str, set[str]] = defaultdict(set)
    ended = Stage.objects.filter(state=Stage.State.DONE, finished_at__gt=now - _LATELY)
    newest = ended.order_by("-finished_at").values_list("holder", "queue")[:_MOST_ROWS]
    busy = [(stage.holder, stage.queue) for stage in running]
    for holder, queue in dict.fromkeys([*busy, *newest]):
        queues[holder].add(queue)
    queues = defaultdict(set, {who: what for who, what in queues.items() if not is_gone(who)})
    machines = {holder: machine_of(holder) for holder in queues}
    usual = Counter(machines.values()).most_common(1)
    known = {queue for some in queues.values() for queue in some}
    for name, some in WORKERS.items():
        if not known.intersection(some):
            for number in range(PROCESSES.get(name, 1)):
                queues[f"{name} {number}"] = set(some)
                machines[f"{name} {number}"] = usual[0][0] if usual else ""
        elif len(some) > 1:  # whoever takes one of these takes the others too
            for holder in [who for who, what in queues.items() if what.intersection(some)]:
                queues[holder] |= set(some)
    return Hands(
        machines=machines,
        queues=queues,
        cores=machine_cores(),
        share=settings.STAGES_OF_A_PERSON,
    )


def _due_last(runs: Sequence[Run], now: datetime) -> dict[tuple[Key, str], float]:
    """By person and kind of work when their last stage in line is due, as `turns.turns_of`."""
    people = Counter(run.rehearsal.owner_id for run in runs)
    many = [person for person, number in people.items() if number > 1]
    rows = Stage.objects.filter(run__rehearsal__owner__in=many, due_at__gt=now).order_by()
    found: dict[tuple[Key, str], float] = {}
    for person, queue, due in rows.values_list("run__rehearsal__owner", "queue").annotate(
        due=Max("due_at")
    ):
        key = (person, kind_of_work(queue))
        found[key] = max(found.get(key, 0.0), (due - now).total_seconds())
    return found
