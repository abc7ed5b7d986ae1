"""Scheduler for periodic tasks."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from typing import Any

from celery.beat import ScheduleEntry, Scheduler, SchedulingError
from django.core.cache import cache
from django.db import DatabaseError, close_old_connections

log = logging.getLogger(__name__)

_AHEAD = timedelta(seconds=1)
_SELDOM = timedelta(minutes=10)
"""What is due less often is remembered in the database: a site that restarts every night would
otherwise never reach the end of a day. What is due more often only waits once more."""
_AGAIN = timedelta(minutes=1)
"""So long after the broker did not take what is seldom due, it is asked again."""
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def _key(name: str) -> str:
    return f"clock:{name}"


def _every(entry: ScheduleEntry) -> timedelta:
    every: timedelta = getattr(entry.schedule, "run_every", timedelta())
    return every


class SteadyScheduler(Scheduler):
    """Celery's scheduler, robust to restarts and to a system clock that was set back.

    It counts from the last start of each task. A task with no known start is due at once: all of
    them may be called at any time.
    """

    def setup_schedule(self) -> None:
        """Load the schedule, with the last starts stored in the database."""
        super().setup_schedule()
        for name, entry in self.schedule.items():
            if _every(entry) >= _SELDOM:
                entry.last_run_at = self._last(name)

    def apply_async(self, entry: ScheduleEntry, *args: Any, **kwargs: Any) -> Any:
        """Start a task; store its start once the broker has accepted it, otherwise retry soon."""
        name, every = str(entry.name), _every(entry)
        if every < _SELDOM:
            return super().apply_async(entry, *args, **kwargs)
        try:
            result = super().apply_async(entry, *args, **kwargs)
        except SchedulingError:
            self.schedule[name].last_run_at = self.app.now() - every + _AGAIN
            self._heap = None
            raise
        self._remember(name)
        return result

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Start the tasks that are due; return the seconds until the next check."""
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

    def _remember(self, name: str) -> None:
        close_old_connections()
        try:
            cache.set(_key(name), self.app.now(), timeout=None)
        except DatabaseError:
            log.warning("the start of %s could not be written down", name)

    def _last(self, name: str) -> datetime:
        close_old_connections()
        try:
            last = cache.get(_key(name))
        except DatabaseError:
            log.warning("when %s was started last is not known", name)
            last = None
        return last if isinstance(last, datetime) else _LONG_AGO
