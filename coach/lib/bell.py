"""Workers are told that something waits; what waits is a row, and stays one."""

from __future__ import annotations

import logging
from typing import Any

from celery import Task
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)


def ring(task: Task[..., None], *given: str, **options: Any) -> bool:
    """Tell the workers. Where the broker is away, the sweeper enqueues later: nothing is lost."""
    try:
        task.apply_async(given, retry=False, **options)
    except OperationalError:
        log.warning("the broker is away; %s %s waits for the sweeper", task.name, *given)
        return False
    return True
