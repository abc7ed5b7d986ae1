"""Celery tasks for bundles."""

from __future__ import annotations

import uuid

from celery import shared_task

from coach.lib.work.wakeups import wake_workers
from coach.research.coding.interviews.redaction.locking import delete_old_originals
from coach.research.coding.interviews.services import drop_old_transcripts
from coach.research.coding.recordings.tasks import sweep_recordings
from coach.research.exports import execution, import_execution


def enqueue(export_id: uuid.UUID) -> None:
    """Enqueue the building of a bundle."""
    wake_workers(make_bundle, str(export_id))


@shared_task(name="coach.research.tasks.make_bundle")
def make_bundle(export_id: str) -> None:
    """Build one bundle."""
    execution.execute_export(uuid.UUID(export_id))


def enqueue_import(import_id: uuid.UUID) -> None:
    """Enqueue the reading of a file."""
    wake_workers(take_bundle_in, str(import_id))


@shared_task(name="coach.research.tasks.take_bundle_in")
def take_bundle_in(import_id: str) -> None:
    """Read one file."""
    import_execution.execute_import(uuid.UUID(import_id))


@shared_task(name="coach.research.tasks.sweep")
def sweep() -> None:
    """Enqueue abandoned work again, and delete what has expired."""
    for export_id in execution.stale():
        enqueue(export_id)
    for import_id in import_execution.stale():
        enqueue_import(import_id)
    execution.expire()
    drop_old_transcripts()
    import_execution.forget_documents()
    delete_old_originals()
    sweep_recordings()
