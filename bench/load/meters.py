"""CPU use: ours, others', idle."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

import psutil

from bench.site import servers_below


class Cores:
    """CPU times between two samples, added up while there is work."""

    def __init__(self, servers: Path) -> None:
        self._servers, self._began = servers, time.time()
        self._ours: dict[tuple[int, float], float] = {}
        self._machine = psutil.cpu_times()
        self.idle = self.ours = self.all = 0.0

    def look(self, *, counts: bool) -> None:
        """Count the time since the last sample, or ignore it."""
        now = psutil.cpu_times()
        spent = self._spent()
        if counts:
            self.idle += now.idle - self._machine.idle
            self.all += sum(now[:8]) - sum(self._machine[:8])
            self.ours += spent
        self._machine = now

    def _spent(self) -> float:
        """Return the CPU time of all processes of this installation since the last sample."""
        spent = 0.0
        us = psutil.Process(os.getpid())
        family = [us, *us.children(recursive=True)]
        for process in [*family, *servers_below(self._servers, "postgres", "valkey")]:
            with suppress(psutil.Error, OSError):
                used = process.cpu_times()
                key = (process.pid, process.create_time())
                total = used.user + used.system
                # A new process has spent all of its time since then.
                first = 0.0 if key[1] > self._began else total
                spent += total - self._ours.get(key, first)
                self._ours[key] = total
        return spent
