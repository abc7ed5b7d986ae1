"""Workers are told that something waits; what waits is a row, and stays one."""

from __future__ import annotations

import logging
from typing import Any

from celery import Task
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)


def wake_workers(task: Task[..., None], key: str, **options: Any) -> bool:
    """Tell the workers which. Where the broker is away, a sweeper enqueues; none is lost."""
    try:
        task.apply_async((key,), retry=False, **options)
    except OperationalError:
        log.warning("the broker is away; %s %s waits for the sweeper", task.name, key)
        return False
    return True
