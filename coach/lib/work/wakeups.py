"""Messages that wake workers; the work itself is a row in the database."""

from __future__ import annotations

import logging
from typing import Any

from celery import Task
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)


def wake_workers(task: Task[..., None], key: str, **options: Any) -> bool:
    """Enqueue a task for a row; return False if the broker is away, and a sweep enqueues it
    later.
    """
    try:
        task.apply_async((key,), retry=False, **options)
    except OperationalError:
        log.warning("the broker is away; %s %s waits for the sweeper", task.name, key)
        return False
    return True
