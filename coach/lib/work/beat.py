"""The clock that starts what is done every few seconds, minutes or hours."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from celery.beat import PersistentScheduler

log = logging.getLogger(__name__)

_AHEAD = timedelta(seconds=1)


class SteadyScheduler(PersistentScheduler):
    """Celery's, but that it goes on where the machine's clock was set back.

    It reckons from when each task was started last, which it also keeps in a file: what was started
    an hour ahead would not be started for an hour, nor anything else in its heap.
    """

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Start what is due; seconds until it is to be asked again."""
        now = self.app.now()
        ahead = [
            each
            for each in self.schedule.values()
            if each.last_run_at is not None and each.last_run_at > now + _AHEAD
        ]
        if ahead:
            log.warning("the clock was set back: %d tasks are counted from now on", len(ahead))
            for each in ahead:
                each.last_run_at = now
            self._heap = None
        delay: float = super().tick(*args, **kwargs)
        return delay
