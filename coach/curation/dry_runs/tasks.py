"""Celery tasks for dry runs: each takes an id, runs one batch and enqueues the next."""

from __future__ import annotations

import uuid

from celery import shared_task

from coach.curation.dry_runs import execution
from coach.lib.work.wakeups import wake_workers


def enqueue(dry_run_id: uuid.UUID) -> None:
    """Enqueue the next batch of a dry run."""
    wake_workers(run_batch, str(dry_run_id))


@shared_task(name="coach.curation.tasks.run_batch")
def run_batch(dry_run_id: str) -> None:
    """Examine one batch of stored reports."""
    if execution.execute_batch(uuid.UUID(dry_run_id)):
        enqueue(uuid.UUID(dry_run_id))


@shared_task(name="coach.curation.tasks.sweep")
def sweep() -> None:
    """Enqueue stale dry runs again."""
    for dry_run_id in execution.stale():
        enqueue(dry_run_id)
