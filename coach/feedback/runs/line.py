"""What stands in line and who works on it, as everybody who waits may know it.

One look at the database serves all who ask within two seconds in a process: a thousand people who
watch their progress cost no more than one.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.utils import timezone

from coach.feedback.models import Run, Stage

_KEPT_SECONDS = 2.0
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


Line = Mapping[str, Queue]
_seen: dict[str, tuple[float, Line]] = {}


def line_now() -> Line:
    """As it was at most two seconds ago."""
    at, line = _seen.get("line", (-_KEPT_SECONDS, {}))
    if time.monotonic() - at > _KEPT_SECONDS:
        line = _look()
        _seen["line"] = (time.monotonic(), line)
    return line


def forget_line() -> None:
    """The next one who asks looks again."""
    _seen.clear()


def _look() -> Line:
    queues: defaultdict[str, Queue] = defaultdict(Queue)
    now = timezone.now()
    in_line = Stage.objects.filter(state__in=(Stage.State.QUEUED, Stage.State.RUNNING))
    rows = in_line.exclude(run__state=Run.State.FAILED).order_by("due_at").values_list(
        "queue", "state", "due_at", "expected_seconds", "started_at", "holder"
    )  # fmt: skip
    for name, state, due, expected, started, holder in rows[:_MOST_ROWS]:
        queue = queues[name]
        if state == Stage.State.RUNNING:
            queue.running.append(max(expected - (now - (started or now)).total_seconds(), 0.0))
            queue.holders.add(holder)
        else:
            queue.due.append(due or _FAR)
            queue.waiting.append(expected)
    _add_who_ended_lately(queues, now)
    return queues


def _add_who_ended_lately(queues: Mapping[str, Queue], now: datetime) -> None:
    """Workers that have nothing to do just now."""
    ended = Stage.objects.filter(state=Stage.State.DONE, finished_at__gt=now - _LATELY)
    newest = ended.order_by("-finished_at").values_list("queue", "holder")
    for name, holder in newest[:_MOST_ROWS]:
        queues[name].holders.add(holder)
