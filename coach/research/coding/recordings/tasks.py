"""Celery tasks for interview recordings."""

from __future__ import annotations

import uuid

from celery import shared_task

from coach.lib.work.wakeups import wake_workers
from coach.research.coding.models import Recording
from coach.research.coding.recordings import execution
from coach.research.coding.recordings.retention import remove_withdrawn_recordings

_HANGING_SECONDS = round(execution.LIMIT_SECONDS) + 120


def enqueue(recording: Recording) -> None:
    """Enqueue a step in the queue for long work (`JOBS_QUEUE`), so that takes do not wait
    for it.
    """
    wake_workers(write_down, str(recording.pk), time_limit=_HANGING_SECONDS)


@shared_task(name="coach.research.tasks.write_down")
def write_down(key: str) -> None:
    """Run one step of one recording."""
    waiting = execution.execute_recording(uuid.UUID(key))
    if waiting is not None:
        enqueue(waiting)


def sweep_recordings() -> None:
    """Enqueue abandoned recordings again; delete withdrawn ones."""
    for recording in execution.stale():
        enqueue(recording)
    remove_withdrawn_recordings()
