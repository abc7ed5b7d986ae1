"""Retries while the database is away briefly: a restart, one crashed back end."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

log = logging.getLogger(__name__)

T = TypeVar("T")

AWAY = (OperationalError, InterfaceError)
"""What Django raises where the server is gone, starts, or has ended our connection."""

PATIENCE_SECONDS = 300.0
"""Minutes of computing are not thrown away for a restart; after this the work is done again by
whoever is there (rule of thumb)."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 2.0


def retry_while_away(act: Callable[[], T], *, patience: float = PATIENCE_SECONDS) -> T:
    """Call `act`, and retry on a new connection while the database is away.

    It must be safe to call twice: the result of a committed call may be lost. Raises the last
    exception once `patience` seconds are over, or at once inside a transaction.
    """
    deadline, pause = time.monotonic() + patience, _FIRST_PAUSE
    while True:
        try:
            return act()
        except AWAY as error:
            if connection.in_atomic_block or time.monotonic() + pause > deadline:
                raise
            log.warning("the database is away, trying again: %s", _first_line(error))
            connection.close()
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
