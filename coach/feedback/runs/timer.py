"""What a piece of work takes, on the clock and of the processor, its own children included."""

from __future__ import annotations

import resource
import time


class Meter:
    """Counts from when it is made."""

    def __init__(self) -> None:
        self._began, self._used = time.monotonic(), _used()

    @property
    def seconds(self) -> float:
        """On the clock."""
        return time.monotonic() - self._began

    @property
    def processor_seconds(self) -> float:
        """Of all threads of this process, and of children that have ended."""
        return _used() - self._used


def _used() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)
