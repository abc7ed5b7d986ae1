"""What stands in line and who works on it, and when everybody who waits will be done.

One look at the database serves all who ask within two seconds in a process: a thousand people who
watch their analyses cost no more than one.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Max
from django.utils import timezone

from analysis.plan import Costs, Plan, gain, plan_for
from coach.feedback.models import Run, Stage
from coach.feedback.runs.arrivals import stages_anew, to_come
from coach.feedback.runs.crew import machine_cores
from coach.feedback.runs.forecast import Forecast, Foreseen, Key, Task, forecast
from coach.feedback.runs.hands import hands_now, is_lost
from coach.feedback.runs.lengths import usual_bytes_per_second
from coach.feedback.runs.sharing import Busy, slowness
from coach.feedback.runs.turns import PATIENCE, expected_seconds, queue_for, shape_for
from coach.lib.work.database_clock import database_now
from coach.lib.work.holders import machine_of
from coach.lib.work.queues import kind_of_work

_KEPT_SECONDS = 2.0
_KEPT_TIMES = 20.0
"""A look that took long is kept so many times as long, so that looking takes a twentieth of a
process at most."""
_KEPT_AT_MOST_SECONDS = 30.0
_IN_LINE = (Stage.State.QUEUED, Stage.State.RUNNING)
_WRITTEN_WITHIN = timedelta(seconds=5)
_DECIDES_WITHIN_SECONDS = 2.0
"""A stage is taken before it has the recording at hand and decides on its cores; until then it is
taken to get those of the plan."""
_MOST_RUNS = 300
"""So many are played ahead, whoever is due first; of those after them it is said that as many come
to their end in the same time."""
_MOST_ROWS = 2_000
_BESIDE = "playback"
"""Most recordings need no copy: it counts once they are opened, where it was not left out then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """As it was at a moment."""

    at: datetime
    foreseen: Mapping[Key, Foreseen] = field(default_factory=dict)
    served: frozenset[str] = frozenset()
    """Queues in which somebody works just now."""
    known: Mapping[UUID, bool] = field(default_factory=dict)
    """Runs that were looked at, and whether their recording had been opened."""
    horizon: float = 0.0
    """When all of those that were played ahead are done."""
    at_latest: Mapping[Key, Foreseen] = field(default_factory=dict)
    """When each is done if they come twice as fast as they came lately; empty where too few did."""
    own_before: Mapping[UUID, int] = field(default_factory=dict)
    """Runs of the same person that came before each and are not done."""
    further: int = 0
    """Runs that were not."""

    def misses(self, run: Run) -> bool:
        """Whether it came, or was opened, after this look.

        A run is written some moments after it was made. Where too many wait for all to be looked
        at, whoever comes has to wait for the next look.
        """
        if run.pk in self.known:
            return run.shape is not None and not self.known[run.pk]
        return run.created_at > self.at - _WRITTEN_WITHIN and not self.further

    def beyond(self) -> float:
        """Seconds until somebody is done who comes after all that were played ahead."""
        return self.horizon * (1 + self.further / _MOST_RUNS)


_seen: dict[str, tuple[float, Line]] = {}
_looking = threading.Lock()


def line_for(run: Run, costs: Costs) -> Line:
    """As it was some seconds ago at most, or just now for a run that has come since.

    One thread looks; whoever asks meanwhile is told what was seen before.
    """
    until, line = _seen.get("line", (0.0, None))
    if line is not None and time.monotonic() < until and not line.misses(run):
        return line
    if not _looking.acquire(blocking=line is None or line.misses(run)):
        return line or _look(costs)
    try:
        at, newest = _seen.get("line", (0.0, None))
        if newest is not None and at > until and not newest.misses(run):
            return newest
        began = time.thread_time()
        line = _look(costs)
        took = time.thread_time() - began
        kept = min(max(_KEPT_SECONDS, _KEPT_TIMES * took), _KEPT_AT_MOST_SECONDS)
        _seen["line"] = (time.monotonic() + kept, line)
        return line
    finally:
        _looking.release()


def forget_line() -> None:
    """The next one who asks looks again."""
    _seen.clear()


def _look(costs: Costs) -> Line:
    # Other machines have written down since when something waits and until when it is held.
    at, now, keys = timezone.now(), database_now(), _next_runs()
    going_on = Run.objects.filter(state=Run.State.RUNNING)
    runs = list(going_on.filter(pk__in=keys).select_related("rehearsal").order_by("created_at"))
    stages = _stages_of(keys)
    running = [
        stage for some in stages.values() for stage in some if stage.state == Stage.State.RUNNING
    ]
    copies = _copies()
    begun = [*running, *(stage for stage in copies if stage.state == Stage.State.RUNNING)]
    held = [stage for stage in begun if not is_lost(stage, now)]
    slow = _slowness_of(held)
    usual, own_before = usual_bytes_per_second(), _own_before(runs)
    runs += [stage.run for stage in copies]
    stages |= {stage.run_id: [stage] for stage in copies}
    tasks = [
        task
        for run in runs
        for task in _tasks(run, stages.get(run.pk, []), usual, costs=costs, slow=slow, now=now)
    ]
    hands, due = hands_now(begun, now), _due_last(runs, now)
    once_more = [replace(task, needs=set(task.needs)) for task in tasks]
    played = forecast(tasks, hands, due)
    later = _later(usual, costs=costs, now=now, within=played.now)
    further = going_on.count() - len(keys) if len(keys) == _MOST_RUNS else 0
    return Line(
        at=at,
        known={run.pk: run.shape is not None for run in runs},
        foreseen=_ends(played),
        served=frozenset(stage.queue for stage in held),
        horizon=played.now,
        at_latest=_ends(forecast(once_more, hands, due, later)) if later else {},
        own_before=own_before,
        further=further,
    )


def _own_before(runs: Sequence[Run]) -> dict[UUID, int]:
    """`runs` in the order in which they came."""
    seen: Counter[Key] = Counter()
    found = {}
    for run in runs:
        found[run.pk] = seen[run.rehearsal.owner_id]
        seen[run.rehearsal.owner_id] += 1
    return found


def _ends(played: Forecast) -> dict[Key, Foreseen]:
    return {key: each for key, each in played.foreseen.items() if played.ends(key)}


def _later(
    usual: Mapping[str, float], *, costs: Costs, now: datetime, within: float
) -> list[tuple[float, list[Task]]]:
    """What may come, by its moment: new people with what others have handed in lately."""
    found = []
    for when, turn, run in to_come(now, within):
        tasks = _tasks(run, stages_anew(run), usual, costs=costs, slow={}, now=now)
        for task in tasks:
            task.run, task.person = ("later", turn, run.pk), ("later", turn, task.person)
        found.append((when, tasks))
    return found


def _next_runs() -> list[UUID]:
    """Those with a stage that is due first, then the oldest of the others."""
    in_line = Stage.objects.filter(state__in=_IN_LINE)
    due = in_line.filter(run__state=Run.State.RUNNING).order_by("due_at")
    first = due.values_list("run", flat=True)[:_MOST_ROWS]
    going_on = Run.objects.filter(state=Run.State.RUNNING).order_by("created_at")
    oldest = going_on.values_list("pk", flat=True)[:_MOST_RUNS]
    return list(dict.fromkeys([*first, *oldest]))[:_MOST_RUNS]


def _stages_of(keys: Sequence[UUID]) -> dict[UUID, list[Stage]]:
    found: defaultdict[UUID, list[Stage]] = defaultdict(list)
    for stage in Stage.objects.filter(run__in=keys).order_by("run", "position"):
        found[stage.run_id].append(stage)
    return found


def _copies() -> list[Stage]:
    """Copies for playback that are still to be made while their draft is there already."""
    left = Stage.objects.filter(state__in=_IN_LINE, run__state=Run.State.DONE)
    return list(left.select_related("run__rehearsal").order_by("due_at")[:_MOST_RUNS])


def _slowness_of(running: Sequence[Stage]) -> dict[int, float]:
    """By stage how many times as long as alone it takes beside the others of its machine."""
    by_machine: defaultdict[str, list[Stage]] = defaultdict(list)
    for stage in running:
        by_machine[machine_of(stage.holder)].append(stage)
    return {
        stage.pk: slow
        for some in by_machine.values()
        for stage, slow in zip(
            some,
            slowness(
                [Busy.of(stage.name, stage.queue, stage.cores) for stage in some], machine_cores()
            ),
            strict=True,
        )
    }


def _tasks(
    run: Run,
    stages: Sequence[Stage],
    usual: Mapping[str, float],
    *,
    costs: Costs,
    slow: Mapping[int, float],
    now: datetime,
) -> list[Task]:
    """What is left to do about a run; `usual` as in `shape_for`."""
    shape = shape_for(run, usual)
    plan = plan_for(shape, machine_cores=machine_cores(), costs=costs)
    ended = {stage.name for stage in stages if stage.state in Stage.FINISHED}
    return [
        _task(
            run,
            stage,
            ended,
            alone=expected_seconds(stage.name, shape, costs),
            cores=plan.stages[stage.name].cores if stage.name in plan.stages else 1,
            slow=slow,
            now=now,
        )
        for stage in stages
        if stage.state not in Stage.FINISHED and _counts(stage, plan, ended)
    ]


def _counts(stage: Stage, plan: Plan, ended: set[str]) -> bool:
    is_opened = stage.state != Stage.State.WAITING or ended.issuperset(stage.needs)
    return stage.name in plan.stages or (stage.name == _BESIDE and is_opened)


def _task(
    run: Run,
    stage: Stage,
    ended: set[str],
    *,
    alone: float,
    cores: int,
    slow: Mapping[int, float],
    now: datetime,
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
        is_awaited=stage.name != _BESIDE,
    )
    if stage.state == Stage.State.WAITING:
        task.queue = queue_for(kind, alone)
    elif stage.state == Stage.State.QUEUED or is_lost(stage, now):
        task.due = (stage.due_at - now).total_seconds() if stage.due_at else task.patience
    else:
        # The clock of its machine may be ahead of ours.
        spent = max((now - (stage.started_at or now)).total_seconds(), 0.0)
        is_decided = stage.progress > 0 or spent > _DECIDES_WITHIN_SECONDS
        task.cores = stage.cores if is_decided else max(stage.cores, cores)
        task.worker = stage.holder
        spent /= slow.get(stage.pk, 1.0)
        task.left = _left(stage.progress, spent, alone / gain(stage.name, task.cores))
    return task


def _left(done: float, spent: float, usual: float) -> float:
    """The further it is, the more its own pace counts, and the less what is usual.

    What is usual follows how busy machines were of late: at a quarter the pace of this very stage
    says more already.
    """
    if done <= 0:
        return max(usual - spent, 0.1 * usual)
    own_pace = spent * (1 - done) / done
    trust_in_usual = (1 - done) ** 3
    return trust_in_usual * usual * (1 - done) + (1 - trust_in_usual) * own_pace


def _due_last(runs: Sequence[Run], now: datetime) -> dict[tuple[Key, str], float]:
    """By person and kind of work when their last stage in line is due, as `turns.turns_of`."""
    people = {run.rehearsal.owner_id for run in runs}
    rows = Stage.objects.filter(run__rehearsal__owner__in=people, due_at__gt=now).order_by()
    found: dict[tuple[Key, str], float] = {}
    for person, queue, due in rows.values_list("run__rehearsal__owner", "queue").annotate(
        due=Max("due_at")
    ):
        key = (person, kind_of_work(queue))
        found[key] = max(found.get(key, 0.0), (due - now).total_seconds())
    return found
