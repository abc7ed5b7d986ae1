"""Elapsed time and processor time of a piece of work, with its child processes."""

from __future__ import annotations

import resource
import time


class Meter:
    """A meter that starts when it is created."""

    def __init__(self) -> None:
        self._began, self._used = time.monotonic(), _used()

    @property
    def seconds(self) -> float:
        """Return the elapsed seconds."""
        return time.monotonic() - self._began

    @property
    def processor_seconds(self) -> float:
        """Return the processor seconds of all threads, and of child processes that have ended."""
        return _used() - self._used


def _used() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)
