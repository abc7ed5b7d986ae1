"""Celery's shells for dry runs: each takes an id, does one batch, and enqueues the next."""

from __future__ import annotations

import logging
import uuid

from celery import shared_task
from kombu.exceptions import OperationalError

from coach.curation.dry_runs import execution

log = logging.getLogger(__name__)


def enqueue(dry_run_id: uuid.UUID) -> None:
    """Tell the workers. Where the broker is away, the sweeper enqueues later: nothing is lost."""
    try:
        run_batch.apply_async((str(dry_run_id),), retry=False)
    except OperationalError:
        log.warning("the broker is away; dry run %s waits for the sweeper", dry_run_id)


@shared_task(name="coach.curation.tasks.run_batch")
def run_batch(dry_run_id: str) -> None:
    """Examine one batch of stored reports."""
    if execution.execute_batch(uuid.UUID(dry_run_id)):
        enqueue(uuid.UUID(dry_run_id))


@shared_task(name="coach.curation.tasks.sweep")
def sweep() -> None:
    """Enqueue again what was left behind."""
    for dry_run_id in execution.stale():
        enqueue(dry_run_id)
