"""Celery's shells for bundles."""

from __future__ import annotations

import logging
import uuid

from celery import shared_task
from kombu.exceptions import OperationalError

from coach.research.coding.interviews.redaction.locking import delete_old_originals
from coach.research.coding.interviews.services import drop_old_transcripts
from coach.research.coding.recordings.tasks import sweep_recordings
from coach.research.exports import execution, import_execution

log = logging.getLogger(__name__)


def enqueue(export_id: uuid.UUID) -> None:
    """Tell the workers. Where the broker is away, the sweeper enqueues later: nothing is lost."""
    try:
        make_bundle.apply_async((str(export_id),), retry=False)
    except OperationalError:
        log.warning("the broker is away; export %s waits for the sweeper", export_id)


@shared_task(name="coach.research.tasks.make_bundle")
def make_bundle(export_id: str) -> None:
    """Make one bundle."""
    execution.execute_export(uuid.UUID(export_id))


def enqueue_import(import_id: uuid.UUID) -> None:
    """The same for a bundle that is loaded."""
    try:
        take_bundle_in.apply_async((str(import_id),), retry=False)
    except OperationalError:
        log.warning("the broker is away; import %s waits for the sweeper", import_id)


@shared_task(name="coach.research.tasks.take_bundle_in")
def take_bundle_in(import_id: str) -> None:
    """Load one bundle."""
    import_execution.execute_import(uuid.UUID(import_id))


@shared_task(name="coach.research.tasks.sweep")
def sweep() -> None:
    """Enqueue again what was left behind, and remove what is over."""
    for export_id in execution.stale():
        enqueue(export_id)
    for import_id in import_execution.stale():
        enqueue_import(import_id)
    execution.expire()
    drop_old_transcripts()
    delete_old_originals()
    sweep_recordings()
