"""Celery tasks: each calls one function and enqueues what is ready next."""

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
"""What is written down at the end may have to retry_while_away a database that is away."""


def enqueue(wakeups: Iterable[Wakeup]) -> None:
    """Tell the workers, as long as the broker is there."""
    for wakeup in wakeups:
        # Whoever hears it takes any stage, and its own watch ends one that hangs. This is
        # for a process in which not even that runs any more.
        limit = round(longest_limit()) + 2 * GRACE_SECONDS
        if not wake_workers(run_stage, wakeup.queue, queue=wakeup.queue, time_limit=limit):
            return


@shared_task(name="coach.feedback.tasks.run_stage")
def run_stage(queue: str) -> None:
    """Do the stage of a queue that is due first, if one waits there."""
    enqueue(execution.execute(queue, grace=GRACE_SECONDS, at_the_end=_end_this_process))


def _end_this_process() -> None:
    """A worker's child that hangs: its parent starts another, and the stage is enqueued again."""
    log.error("this process hangs in a stage and ends")
    os.kill(os.getpid(), signal.SIGKILL)


@shared_task(name="coach.feedback.tasks.sweep")
def sweep() -> None:
    """Enqueue again the stages that were left behind."""
    enqueue([*_not_there_yet(stale()), *left_waiting()])


def _not_there_yet(wakeups: Iterable[Wakeup]) -> Iterator[Wakeup]:
    """Those of which the broker has none: where a line is long, wakeups would pile up for hours."""
    for queue, count in Counter(wakeup.queue for wakeup in wakeups).items():
        yield from [Wakeup(queue=queue)] * max(count - _there(queue), 0)


def _there(queue: str) -> int:
    """How many wakeups of a queue wait to be taken; none where the broker is away or knows none."""
    broker: Any = current_app.connection_for_write()
    with broker:
        try:
            with broker.channel() as channel:
                return int(channel.queue_declare(queue, passive=True).message_count)
        except (*broker.channel_errors, *broker.connection_errors):
            return 0
