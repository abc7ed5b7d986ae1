"""When each run will be done: the line of all runs played ahead, as their workers would take it.

Nothing here knows the database: `runs.line` says what there is to do and who does it. Workers take
what is due first, a person's stages stand in line within their share (`runs.turns`), and stages of
different runs slow each other down where they compute on one machine. Of what comes in later it
knows what it is told.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count

from analysis.plan import gain
from coach.feedback.runs.sharing import Busy, slowness

Key = Hashable


@dataclass(slots=True, kw_only=True, eq=False)
class Task:
    """One stage that is not finished."""

    run: Key
    person: Key
    name: str
    kind: str
    """Of work, as a person's share is counted: the queue without its length."""
    queue: str
    needs: set[str]
    """Stages that have not ended yet."""
    seconds: float
    """On the clock, on one core with nothing else on the machine."""
    cores: int
    """The plan grants so many; from when it runs, those it holds."""
    patience: float
    """Seconds after which it is due, once it stands in line."""
    is_awaited: bool = True
    """Whether its run is done only after it."""
    due: float | None = None
    """Seconds from now; None while it does not stand in line."""
    left: float | None = None
    """Seconds on the clock with its cores; None before it is begun."""
    worker: str = ""
    since: float = 0.0
    """When it was put in line."""

    @property
    def busy(self) -> Busy:
        """What it takes of its machine while it runs."""
        return Busy.of(self.name, self.queue, self.cores)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """Who works: by worker its machine and the queues that it takes."""

    machines: Mapping[str, str]
    queues: Mapping[str, Collection[str]]
    cores: int
    """Of each machine."""
    share: int
    """So many stages of one kind and one person stand in line at the same time."""


@dataclass(slots=True)
class Foreseen:
    """What becomes of one run, in seconds from now."""

    seconds: float = 0.0
    in_line: float = 0.0
    """In which nobody works on it."""
    slowest: str = ""
    """The stage that takes longest from when it stands in line."""
    longest: float = -1.0


def forecast(
    tasks: Sequence[Task],
    hands: Hands,
    due: Mapping[tuple[Key, str], float],
    later: Sequence[tuple[float, Sequence[Task]]] = (),
) -> Forecast:
    """Play the line ahead. `tasks`: the runs of a person in the order in which they came.

    `due`: by person and kind of work when they are due last, in seconds from now. `later`: when
    what comes in, soonest first. The tasks are used up.
    """
    play = Forecast(hands, due, later=deque(later))
    for task in tasks:
        play.add(task)
    play.run()
    return play


@dataclass(slots=True)
class Forecast:
    """The line as it moves; afterwards `foreseen` has each run that comes to its end."""

    hands: Hands
    due: Mapping[tuple[Key, str], float]
    foreseen: dict[Key, Foreseen] = field(default_factory=dict)
    now: float = 0.0
    later: deque[tuple[float, Sequence[Task]]] = field(default_factory=deque)
    _last_due: dict[tuple[Key, str], float] = field(default_factory=dict)
    _taken: Counter[tuple[Key, str]] = field(default_factory=Counter)
    _waiting: dict[Key, list[Task]] = field(default_factory=lambda: defaultdict(list))
    _unfinished: dict[Key, set[str]] = field(default_factory=lambda: defaultdict(set))
    _in_line: dict[str, list[tuple[float, int, Task]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _running: list[Task] = field(default_factory=list)
    _free: dict[str, None] = field(default_factory=dict)
    """In the order in which they became free."""
    _idle_since: dict[Key, float] = field(default_factory=dict)
    _asked: set[Key] = field(default_factory=set)
    """Runs that were there at the beginning and are not done."""
    _number: count[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self._last_due.update(self.due)
        self._free.update(dict.fromkeys(self.hands.queues))

    def add(self, task: Task) -> None:
        """As it stands now: running, in line, or waiting for others."""
        self.foreseen.setdefault(task.run, Foreseen())
        if task.is_awaited:
            self._unfinished[task.run].add(task.name)
        if task.left is not None:
            task.worker = self._whose(task)
            self._running.append(task)
            self._free.pop(task.worker, None)
            self._taken[task.person, task.kind] += 1
        elif task.due is not None:
            self._stand(task, task.due)
        else:
            self._waiting[task.person].append(task)

    def run(self) -> None:
        """Until nothing is left that anybody does; with what comes later, until all others end."""
        busy = {task.run for task in self._running if task.is_awaited}
        self._idle_since = {run: 0.0 for run in self.foreseen if run not in busy}
        for person in list(self._waiting):
            self._let_stand(person)
        to_the_end = not self.later
        self._asked = {run for run in self.foreseen if self._unfinished[run]}
        while to_the_end or self._asked:
            self._let_come()
            self._begin_what_can()
            if not self._running:
                return
            self._move_on()

    def _let_come(self) -> None:
        while self.later and self.later[0][0] <= self.now:
            _at, tasks = self.later.popleft()
            for task in tasks:
                self.add(task)
                self._idle_since.setdefault(task.run, self.now)
            for person in {task.person for task in tasks}:
                self._let_stand(person)

    def _whose(self, task: Task) -> str:
        """Whoever has it; where processes have no names, one of those that take its queue."""
        if task.worker in self.hands.queues:
            return task.worker
        takers = (one for one in self._free if task.queue in self.hands.queues[one])
        return next(takers, task.worker)

    def _stand(self, task: Task, due: float) -> None:
        task.due, task.since = due, self.now
        kind = (task.person, task.kind)
        self._last_due[kind] = max(due, self._last_due.get(kind, due))
        self._taken[task.person, task.kind] += 1
        heappush(self._in_line[task.queue], (due, next(self._number), task))

    def _let_stand(self, person: Key) -> None:
        """As `stage_leases.queue_next`: the oldest first, where their share has room."""
        still = []
        for task in self._waiting[person]:
            kind = (person, task.kind)
            if task.needs or self._taken[kind] >= self.hands.share:
                still.append(task)
                continue
            due = max(self.now, self._last_due.get(kind, self.now)) + task.patience
            self._stand(task, due)
        self._waiting[person] = still

    def _begin_what_can(self) -> None:
        for worker in list(self._free):
            task = self._next_for(worker)
            if task is not None:
                self._begin(task, worker)

    def _next_for(self, worker: str) -> Task | None:
        lines = [line for queue in self.hands.queues[worker] if (line := self._in_line.get(queue))]
        if not lines:
            return None
        return heappop(min(lines, key=lambda line: line[0][:2]))[2]

    def _begin(self, task: Task, worker: str) -> None:
        machine = self.hands.machines[worker]
        if task.cores > 1:
            task.cores = max(1, min(task.cores, self.hands.cores - self._others(task.run, machine)))
        task.worker, task.left = worker, task.seconds / gain(task.name, task.cores)
        self._free.pop(worker, None)
        self._running.append(task)
        if task.is_awaited and task.run in self._idle_since:
            self.foreseen[task.run].in_line += self.now - self._idle_since.pop(task.run)

    def _others(self, run: Key, machine: str) -> int:
        return sum(
            each.cores
            for each in self._running
            if each.run != run and self.hands.machines.get(each.worker) == machine
        )

    def _move_on(self) -> None:
        """To when the next one ends."""
        slower = self._slowness()
        step = min((t.left or 0.0) * slow for t, slow in zip(self._running, slower, strict=True))
        if self.later:
            step = min(step, max(self.later[0][0] - self.now, 0.0))
        self.now += step
        ended = []
        for task, slow in zip(self._running, slower, strict=True):
            task.left = (task.left or 0.0) - step / slow
            if task.left <= 1e-9:
                ended.append(task)
        for task in ended:
            self._end(task)

    def _note(self, task: Task) -> None:
        found = self.foreseen[task.run]
        found.seconds = self.now
        if self.now - task.since > found.longest:
            found.longest, found.slowest = self.now - task.since, task.name

    def _slowness(self) -> list[float]:
        """How many times as long as alone each takes that runs, beside others on its machine."""
        by_machine: defaultdict[str | None, list[int]] = defaultdict(list)
        for index, task in enumerate(self._running):
            by_machine[self.hands.machines.get(task.worker)].append(index)
        found = [1.0] * len(self._running)
        for indexes in by_machine.values():
            busy = [self._running[index].busy for index in indexes]
            for index, slow in zip(indexes, slowness(busy, self.hands.cores), strict=True):
                found[index] = slow
        return found

    def _end(self, task: Task) -> None:
        self._running.remove(task)
        if task.worker in self.hands.queues:
            self._free[task.worker] = None
        self._taken[task.person, task.kind] -= 1
        left = self._unfinished[task.run]
        left.discard(task.name)
        if task.is_awaited:
            self._note(task)
        if not any(each.run == task.run and each.is_awaited for each in self._running):
            self._idle_since.setdefault(task.run, self.now)
        for each in self._waiting[task.person]:
            if each.run == task.run:
                each.needs.discard(task.name)
        self._let_stand(task.person)
        if not left:
            self._asked.discard(task.run)
            self._idle_since.pop(task.run, None)

    def ends(self, run: Key) -> bool:
        """Whether it comes to its end with these workers."""
        return run in self.foreseen and not self._unfinished[run]
