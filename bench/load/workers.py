"""Workers of an installation as processes that join, leave and are killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self

import psutil

from coach.lib.work.queues import PROCESSES, WORKERS

ROOT = Path(__file__).resolve().parents[2]
_READY = b" ready."
_START_SECONDS = 120.0
_END_SECONDS = 5.0


@dataclass(slots=True)
class WorkerProcess:
    """Celery worker in its own process group."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path


class Workers:
    """Workers of each kind, as `docker compose up` starts them, and the clock."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._folder, self._environment = folder, dict(environment)
        self._count = 0
        self._files: list[IO[bytes]] = []
        self._begun: list[subprocess.Popen[bytes]] = []
        """All workers, including those that have left and may still finish their work."""
        self.workers: list[WorkerProcess] = []

    def __enter__(self) -> Self:
        (self._folder / "log").mkdir(parents=True, exist_ok=True)
        schedule = str(self._folder / "beat-schedule")
        try:
            self._launch("beat", "beat", "-s", schedule, "--pidfile=")
            for name in WORKERS:
                self.join(name)
            self.wait_until_ready()
        except BaseException:  # a signal may end this process while they start, which takes a while
            self.__exit__()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        end_all(self._begun)
        for file in self._files:
            file.close()

    def join(self, name: str) -> WorkerProcess:
        """Start another worker of a kind; it needs some seconds."""
        self._count += 1
        worker = self._launch(
            name,
            *("worker", "-Q", ",".join(WORKERS[name]), "-c", str(PROCESSES.get(name, 1))),
            *("-n", f"{name}-{self._count}@%h", "--without-gossip", "--without-mingle"),
        )
        self.workers.append(worker)
        return worker

    def wait_until_ready(self) -> None:
        """Wait until each worker is ready. Raises SystemExit if one does not start."""
        deadline = time.monotonic() + _START_SECONDS
        for worker in self.workers:
            if worker.name == "beat":
                continue
            while _READY not in worker.log.read_bytes():
                if time.monotonic() > deadline or worker.process.poll() is not None:
                    raise SystemExit(f"A worker did not start:\n{worker.log.read_text()}")
                time.sleep(0.2)

    def leave(self, worker: WorkerProcess) -> None:
        """Ask a worker to end after its current stage."""
        worker.process.terminate()
        self.workers.remove(worker)

    def kill(self, dice: random.Random, busy: set[int]) -> tuple[str, set[int]]:
        """Kill one worker with its children, and start another in its place.

        Busy workers are preferred: `busy` are the processes that run a stage.
        """
        families = [(each, _family(each)) for each in self.workers if each.name != "beat"]
        worker, pids = dice.choice([each for each in families if each[1] & busy] or families)
        end_all([worker.process])
        self.workers.remove(worker)
        self.join(worker.name)
        return worker.name, pids

    def _launch(self, name: str, *arguments: str) -> WorkerProcess:
        log = self._folder / "log" / f"{name}-{self._count}.txt"
        file = log.open("wb")
        self._files.append(file)
        kindly = ("nice", "-n", "5") if name == "long" else ()
        process = subprocess.Popen(
            [*kindly, sys.executable, "-m", "celery", "-A", "coach", *arguments, "-l", "INFO"],
            cwd=ROOT,
            env=self._environment,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._begun.append(process)
        worker = WorkerProcess(name, process, log)
        if name == "beat":
            self.workers.append(worker)
        return worker


def _family(worker: WorkerProcess) -> set[int]:
    pids = {worker.process.pid}
    with suppress(psutil.Error):
        pids |= {each.pid for each in psutil.Process(worker.process.pid).children(recursive=True)}
    return pids


def end_all(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    """Kill all processes at once, each with its group, and wait until they have ended."""
    for process in processes:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    deadline = time.monotonic() + _END_SECONDS
    for process in processes:
        process.wait()
        while _is_there(process.pid) and time.monotonic() < deadline:
            time.sleep(0.01)


def _is_there(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True
