"""Celery's shells: each calls one function, and rings for what is ready next."""

from __future__ import annotations

import logging
import os
import signal
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from celery import current_app, shared_task
from kombu.exceptions import OperationalError

from coach.feedback.runs import execution
from coach.feedback.runs.plan import longest_limit
from coach.feedback.runs.stage_leases import Bell, forgotten, left_waiting
from coach.rehearsals.uploads import close_abandoned_uploads

log = logging.getLogger(__name__)

GRACE_SECONDS = 60
"""What is written down at the end may have to outlast a database that is away."""


def ring(bells: Iterable[Bell]) -> None:
    """Tell the workers. Where the broker is away, the sweeper rings later: nothing is lost."""
    for bell in bells:
        try:
            run_stage.apply_async(
                (bell.queue,),
                queue=bell.queue,
                # Whoever hears it takes any stage, and its own watch ends one that hangs. This is
                # for a process in which not even that runs any more.
                time_limit=round(longest_limit()) + 2 * GRACE_SECONDS,
                retry=False,
            )
        except OperationalError:
            log.warning("the broker is away; what waits in %s waits for the sweeper", bell.queue)
            return


@shared_task(name="coach.feedback.tasks.run_stage")
def run_stage(queue: str) -> None:
    """Do the stage of a queue that is due first, if one waits there."""
    ring(execution.execute(queue, grace=GRACE_SECONDS, at_the_end=_end_this_process))


def _end_this_process() -> None:
    """A worker's child that hangs: its parent starts another, and the bell hangs there again."""
    log.error("this process hangs in a stage and ends")
    os.kill(os.getpid(), signal.SIGKILL)


@shared_task(name="coach.feedback.tasks.sweep")
def sweep() -> None:
    """Ring again for what was left behind; keep what dead uploads had received."""
    ring([*_not_hanging_there(forgotten()), *left_waiting()])
    close_abandoned_uploads()


def _not_hanging_there(bells: Iterable[Bell]) -> Iterator[Bell]:
    """Those of which the broker has none: where a line is long, bells would pile up for hours."""
    for queue, count in Counter(bell.queue for bell in bells).items():
        yield from [Bell(queue=queue)] * max(count - _hanging(queue), 0)


def _hanging(queue: str) -> int:
    """How many bells of a queue wait to be heard; none where the broker is away or knows none."""
    broker: Any = current_app.connection_for_write()
    with broker:
        try:
            with broker.channel() as channel:
                return int(channel.queue_declare(queue, passive=True).message_count)
        except (*broker.channel_errors, *broker.connection_errors):
            return 0
