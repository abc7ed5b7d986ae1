"""Celery's shells: each takes an id, calls one function, and rings for what is ready next."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from celery import shared_task
from kombu.exceptions import OperationalError

from coach.feedback.runs import execution
from coach.feedback.runs.claims import Bell, forgotten, left_waiting
from coach.rehearsals.uploads import close_abandoned_uploads

log = logging.getLogger(__name__)

GRACE_SECONDS = 60
"""What is written down at the end may have to outlast a database that is away."""


def ring(bells: Iterable[Bell]) -> None:
    """Tell the workers. Where the broker is away, the sweeper rings later: nothing is lost."""
    for bell in bells:
        try:
            run_stage.apply_async(
                (bell.stage_id,),
                queue=bell.queue,
                # A worker ends its child that hangs so long; the stage is then tried again.
                time_limit=round(bell.time_limit) + GRACE_SECONDS,
                retry=False,
            )
        except OperationalError:
            log.warning("the broker is away; stage %s waits for the sweeper", bell.stage_id)
            return


@shared_task(name="coach.feedback.tasks.run_stage")
def run_stage(stage_id: int) -> None:
    """Do one stage of a run."""
    ring(execution.execute(stage_id))


@shared_task(name="coach.feedback.tasks.sweep")
def sweep() -> None:
    """Ring again for what was left behind; keep what dead uploads had received."""
    ring([*forgotten(), *left_waiting()])
    close_abandoned_uploads()
