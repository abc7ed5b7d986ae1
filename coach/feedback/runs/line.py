"""What stands in line and who works on it, as everybody who waits may know it.

One look at the database serves all who ask within two seconds in a process: a thousand people who
watch their analyses cost no more than one.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone

from coach.feedback.models import Run, Stage
from coach.lib.holders import machine_of

_KEPT_SECONDS = 2.0
_NEEDED = ("queue", "state", "due_at", "expected_seconds", "started_at", "holder", "run", "cores")
_MOST_ROWS = 5_000
"""Whoever has more before them is told an hour or so too little, of very many."""
_LATELY = timedelta(minutes=10)
_FAR = datetime.max.replace(tzinfo=timezone.get_default_timezone())


@dataclass(slots=True)
class Queue:
    """One queue: seconds of work that wait in it, by when they are due, and its workers."""

    due: list[datetime] = field(default_factory=list)
    waiting: list[float] = field(default_factory=list)
    running: list[float] = field(default_factory=list)
    """What is left of each that runs, at most."""
    holders: set[str] = field(default_factory=set)

    def wait(self, due: datetime) -> float:
        """Seconds until a worker is free for what is due then."""
        place = bisect_left(self.due, due)
        workers = max(len(self.holders), 1)
        if place + len(self.running) < workers:
            return 0.0
        return (sum(self.waiting[:place]) + sum(self.running)) / workers


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """All queues, and who computes on how many machines."""

    queues: Mapping[str, Queue] = field(default_factory=dict)
    cores: Mapping[UUID, int] = field(default_factory=dict)
    """Held just now, by run."""
    machines: int = 1

    def held_by_others(self, run: UUID) -> float:
        """Cores of one machine on which other runs compute, if they are spread evenly."""
        return sum(cores for key, cores in self.cores.items() if key != run) / self.machines


_seen: dict[str, tuple[float, Line]] = {}


def line_now() -> Line:
    """As it was at most two seconds ago."""
    at, line = _seen.get("line", (-_KEPT_SECONDS, Line()))
    if time.monotonic() - at > _KEPT_SECONDS:
        line = _look()
        _seen["line"] = (time.monotonic(), line)
    return line


def forget_line() -> None:
    """The next one who asks looks again."""
    _seen.clear()


def _look() -> Line:
    queues: defaultdict[str, Queue] = defaultdict(Queue)
    cores: Counter[UUID] = Counter()
    now = timezone.now()
    in_line = Stage.objects.filter(state__in=(Stage.State.QUEUED, Stage.State.RUNNING))
    rows = in_line.exclude(run__state=Run.State.FAILED).order_by("due_at")
    for stage in rows.values_list(*_NEEDED, named=True)[:_MOST_ROWS]:
        queue = queues[stage.queue]
        if stage.state == Stage.State.RUNNING:
            spent = (now - (stage.started_at or now)).total_seconds()
            queue.running.append(max(stage.expected_seconds - spent, 0.0))
            queue.holders.add(stage.holder)
            cores[stage.run] += stage.cores
        else:
            queue.due.append(stage.due_at or _FAR)
            queue.waiting.append(stage.expected_seconds)
    _add_who_ended_lately(queues, now)
    machines = {machine_of(holder) for queue in queues.values() for holder in queue.holders}
    return Line(queues=queues, cores=cores, machines=max(len(machines), 1))


def _add_who_ended_lately(queues: Mapping[str, Queue], now: datetime) -> None:
    """Workers that have nothing to do just now."""
    ended = Stage.objects.filter(state=Stage.State.DONE, finished_at__gt=now - _LATELY)
    newest = ended.order_by("-finished_at").values_list("queue", "holder")
    for name, holder in newest[:_MOST_ROWS]:
        queues[name].holders.add(holder)
