"""Celery tasks of analyses: each calls one function and enqueues the stages that are ready."""

from __future__ import annotations

import logging
import os
import signal
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from celery import current_app, shared_task

from coach.feedback.runs import execution
from coach.feedback.runs.plan import longest_limit
from coach.feedback.runs.stage_leases import Wakeup, left_waiting, stale
from coach.lib.work.wakeups import wake_workers

log = logging.getLogger(__name__)

GRACE_SECONDS = 60
"""The extra time for saving a stage's end, with retries while the database is unavailable."""


def enqueue(wakeups: Iterable[Wakeup]) -> None:
    """Wake the workers while the broker is available."""
    for wakeup in wakeups:
        # The woken worker takes any stage, and its watchdog ends one that hangs. This limit is
        # for a process in which even the watchdog hangs.
        limit = round(longest_limit()) + 2 * GRACE_SECONDS
        if not wake_workers(run_stage, wakeup.queue, queue=wakeup.queue, time_limit=limit):
            return


@shared_task(name="coach.feedback.tasks.run_stage")
def run_stage(queue: str) -> None:
    """Run the stage of a queue that is due first, if there is one."""
    enqueue(execution.execute(queue, grace=GRACE_SECONDS, at_the_end=_end_this_process))


def _end_this_process() -> None:
    """Kill this hanging child process: its parent replaces it, and the stage is retried."""
    log.error("this process hangs in a stage and ends")
    os.kill(os.getpid(), signal.SIGKILL)


@shared_task(name="coach.feedback.tasks.sweep")
def sweep() -> None:
    """Enqueue stale and waiting stages again."""
    enqueue([*_not_there_yet(stale()), *left_waiting()])


def _not_there_yet(wakeups: Iterable[Wakeup]) -> Iterator[Wakeup]:
    """Yield the wakeups that the broker lacks; otherwise they would pile up in a long queue."""
    for queue, count in Counter(wakeup.queue for wakeup in wakeups).items():
        yield from [Wakeup(queue=queue)] * max(count - _there(queue), 0)


def _there(queue: str) -> int:
    """Return the number of a queue's waiting wakeups, 0 if broker or queue are unavailable."""
    broker: Any = current_app.connection_for_write()
    with broker:
        try:
            with broker.channel() as channel:
                return int(channel.queue_declare(queue, passive=True).message_count)
        except (*broker.channel_errors, *broker.connection_errors):
            return 0
