"""Keeps a handful of processes running, each with its own log, and stops them in good order."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

RESTART_AFTER_SECONDS = 2.0
# Celery ends by itself between two stages, at once on SIGQUIT (the stage runs again later), and a
# stage deep in a C library only by SIGKILL.
LAST_WORDS = ((signal.SIGTERM, 4.0), (signal.SIGQUIT, 3.0), (signal.SIGKILL, 5.0))


@dataclass(slots=True)
class Child:
    """One process that should always run."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    ended_at: float = field(default=0.0)

    @property
    def is_running(self) -> bool:
        """Whether it runs now."""
        return self.process is not None and self.process.poll() is None


class Supervisor:
    """Starts children in their own process groups, so that Ctrl-C reaches only us."""

    def __init__(
        self,
        folder: Path,
        *,
        environment: Mapping[str, str],
        cwd: Path,
        say: Callable[[str], None],
    ) -> None:
        self._logs = folder / "log"
        self._register = folder / "processes.json"
        self._environment = dict(environment)
        self._cwd = cwd
        self._say = say
        self._children: list[Child] = []
        self._logs.mkdir(parents=True, exist_ok=True)
        self._end_orphans()

    def start(self, name: str, *command: str) -> None:
        """Start a process and keep it running."""
        child = Child(name, command)
        self._children.append(child)
        self._launch(child)

    def watch(self, *, until: Callable[[], bool], patience: float = float("inf")) -> bool:
        """Restart what ends until the condition holds; say whether it came true in time."""
        deadline = time.monotonic() + patience
        while not until():
            if time.monotonic() > deadline:
                return False
            for child in self._children:
                self._tend(child)
            time.sleep(0.3)
        return True

    def stop(self) -> None:
        """End every process, the last ones by force."""
        for sign, patience in LAST_WORDS:
            running = [child for child in self._children if child.is_running]
            for child in running:
                self._send(child, sign)
            deadline = time.monotonic() + patience
            while any(child.is_running for child in running) and time.monotonic() < deadline:
                time.sleep(0.05)
        self._register.unlink(missing_ok=True)

    def last_lines(self, name: str, count: int = 12) -> str:
        """The end of a log."""
        log = self._logs / f"{name}.log"
        lines = log.read_text(errors="replace").splitlines() if log.exists() else []
        return "\n".join(lines[-count:])

    def _tend(self, child: Child) -> None:
        if child.is_running:
            return
        if not child.ended_at:
            child.ended_at = time.monotonic()
            code = child.process.returncode if child.process else None
            self._say(f"{child.name} ended ({code}) and starts again; see {self._log_of(child)}")
        if time.monotonic() - child.ended_at >= RESTART_AFTER_SECONDS:
            child.ended_at = 0.0
            self._launch(child)

    def _launch(self, child: Child) -> None:
        with self._log_of(child).open("ab") as log:
            child.process = subprocess.Popen(
                child.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self._cwd,
                env=self._environment,
                start_new_session=True,
            )
        self._note()

    def _log_of(self, child: Child) -> Path:
        return self._logs / f"{child.name}.log"

    def _send(self, child: Child, sign: signal.Signals) -> None:
        if child.process is None:
            return
        with suppress(ProcessLookupError):
            if sign == signal.SIGKILL:
                os.killpg(child.process.pid, sign)
            else:
                child.process.send_signal(sign)

    def _note(self) -> None:
        """Write down who runs, so that the next start finds them if we are killed."""
        running = {}
        for child in self._children:
            if child.is_running and child.process:
                with suppress(psutil.Error):
                    pid = child.process.pid
                    running[str(pid)] = psutil.Process(pid).create_time()
        self._register.write_text(json.dumps(running))

    def _end_orphans(self) -> None:
        """End what a killed supervisor left behind; a number that was given anew is left alone."""
        try:
            noted: dict[str, float] = json.loads(self._register.read_text())
        except (OSError, ValueError):
            return
        for pid, created in noted.items():
            with suppress(psutil.Error, ProcessLookupError):
                if abs(psutil.Process(int(pid)).create_time() - created) < 1.0:
                    os.killpg(int(pid), signal.SIGKILL)
        self._register.unlink(missing_ok=True)
