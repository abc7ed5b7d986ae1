"""Celery tasks of storage: the sweep, and retries of removals."""

from __future__ import annotations

import logging

from celery import shared_task

from coach.lib.files.scratch import clear_scratch
from coach.rehearsals.removals import prove_removals
from coach.rehearsals.sweeping import reconcile_storage
from coach.storage import StorageUnavailable

log = logging.getLogger(__name__)


@shared_task(name="coach.rehearsals.tasks.sweep_custody")
def sweep_custody() -> None:
    """Compare storage with the database, and delete leftovers of killed processes."""
    clear_scratch()
    try:
        reconcile_storage()
    except StorageUnavailable as problem:
        log.warning("storage is compared with the database next time: %s", problem)


@shared_task(name="coach.rehearsals.tasks.sweep_removals")
def sweep_removals() -> None:
    """Retry pending removals."""
    prove_removals()
