"""Celery's shells for bundles."""

from __future__ import annotations

import logging
import uuid

from celery import shared_task
from kombu.exceptions import OperationalError

from coach.research.exports import execution

log = logging.getLogger(__name__)


def ring(export_id: uuid.UUID) -> None:
    """Tell the workers. Where the broker is away, the sweeper rings later: nothing is lost."""
    try:
        make_bundle.apply_async((str(export_id),), queue="default", retry=False)
    except OperationalError:
        log.warning("the broker is away; export %s waits for the sweeper", export_id)


@shared_task(name="coach.research.tasks.make_bundle")
def make_bundle(export_id: str) -> None:
    """Make one bundle."""
    execution.execute_export(uuid.UUID(export_id))


@shared_task(name="coach.research.tasks.sweep")
def sweep() -> None:
    """Ring again for what was left behind, and remove what is over."""
    for export_id in execution.forgotten():
        ring(export_id)
    execution.expire()
