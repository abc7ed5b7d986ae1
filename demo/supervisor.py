"""Supervisor: keeps processes and two servers running, and stops the processes in order."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from gettext import gettext as _
from pathlib import Path
from typing import Protocol

import psutil

from coach.lib.embedded import EmbeddedServerError

RESTART_AFTER_SECONDS, LONGEST_PAUSE_SECONDS = 2.0, 30.0
WELL_AFTER_SECONDS = 60.0
"""Run time after which a process that ends is restarted without the accumulated pause."""
# Celery ends between two stages, at once on SIGQUIT (the stage runs again later), and during a
# stage deep in a C library only on SIGKILL.
LAST_WORDS = ((signal.SIGTERM, 4.0), (signal.SIGQUIT, 3.0), (signal.SIGKILL, 5.0))


class Server(Protocol):
    """Server that is not our child process and survives us if we are killed."""

    def is_alive(self) -> bool:
        """Return whether its process exists."""

    def join(self) -> str:
        """Start it unless it runs, and return its URL."""


@dataclass(slots=True)
class RestartBackoff:
    """Pauses before restarts, doubled each time."""

    started_at: float = 0.0
    ended_at: float = 0.0
    seconds: float = 0.0

    def start(self) -> None:
        """Record a start."""
        self.started_at, self.ended_at = time.monotonic(), 0.0

    def end(self) -> bool:
        """Record an end; return False if it was recorded before."""
        if self.ended_at:
            return False
        self.ended_at = time.monotonic()
        if self.ended_at - self.started_at > WELL_AFTER_SECONDS:
            self.seconds = 0.0
        self.seconds = min(max(2 * self.seconds, RESTART_AFTER_SECONDS), LONGEST_PAUSE_SECONDS)
        return True

    @property
    def is_over(self) -> bool:
        """Return whether the pause before the restart is over."""
        return time.monotonic() - self.ended_at >= self.seconds


@dataclass(slots=True)
class Child:
    """Process that should always run."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    pauses: RestartBackoff = field(default_factory=RestartBackoff)

    @property
    def is_running(self) -> bool:
        """Return whether the process runs."""
        return self.process is not None and self.process.poll() is None


@dataclass(slots=True)
class GuardedServer:
    """Server that should always run."""

    name: str
    server: Server
    pauses: RestartBackoff = field(default_factory=RestartBackoff)


class Supervisor:
    """Supervisor of children in their own process groups, so that Ctrl-C reaches only us.

    Each child gets the `environment` as it is when the child starts.
    """

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
        self._environment = environment
        self._cwd = cwd
        self._say = say
        self._children: list[Child] = []
        self._guarded: list[GuardedServer] = []
        self._logs.mkdir(parents=True, exist_ok=True)
        # Emails are printed there, with links that open accounts.
        self._logs.chmod(0o700)
        self._end_orphans()

    def start(self, name: str, *command: str) -> None:
        """Start a process and keep it running."""
        child = Child(name, command)
        self._children.append(child)
        self._launch(child)

    def guard(self, name: str, server: Server) -> None:
        """Restart a server whenever it has died."""
        self._guarded.append(GuardedServer(name, server))

    def watch(self, *, until: Callable[[], bool], patience: float = float("inf")) -> bool:
        """Restart what ends until the condition is true; return whether it became true in time."""
        deadline = time.monotonic() + patience
        while not until():
            if time.monotonic() > deadline:
                return False
            for guarded in self._guarded:
                self._look_after(guarded)
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
        """Return the last lines of a log."""
        log = self._logs / f"{name}.log"
        lines = log.read_text(errors="replace").splitlines() if log.exists() else []
        return "\n".join(lines[-count:])

    def _tend(self, child: Child) -> None:
        if child.is_running:
            return
        if child.pauses.end():
            code = child.process.returncode if child.process else None
            self._say(
                _("{name} ended ({code}) and starts again in {seconds} s; see {log}").format(
                    name=child.name,
                    code=code,
                    seconds=round(child.pauses.seconds),
                    log=self._log_of(child),
                )
            )
        if child.pauses.is_over:
            self._launch(child)

    def _look_after(self, guarded: GuardedServer) -> None:
        if guarded.server.is_alive():
            return
        if guarded.pauses.end():
            died = _("{name} died and starts again in {seconds} s.")
            self._say(died.format(name=guarded.name, seconds=round(guarded.pauses.seconds)))
        if not guarded.pauses.is_over:
            return
        guarded.pauses.start()
        try:
            guarded.server.join()
        except EmbeddedServerError as problem:
            failed = _("{name} did not start: {problem}")
            self._say(failed.format(name=guarded.name, problem=problem))
        else:
            self._say(_("{name} runs again. Nothing is lost.").format(name=guarded.name))

    def _launch(self, child: Child) -> None:
        with self._log_of(child).open("ab") as log:
            child.process = subprocess.Popen(
                child.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self._cwd,
                env=dict(self._environment),
                start_new_session=True,
            )
        child.pauses.start()
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
        """Record the running processes, so that the next start finds them if we are killed."""
        running = {}
        for child in self._children:
            if child.is_running and child.process:
                with suppress(psutil.Error):
                    pid = child.process.pid
                    running[str(pid)] = psutil.Process(pid).create_time()
        self._register.write_text(json.dumps(running))

    def _end_orphans(self) -> None:
        """End processes left by a killed supervisor; a reused process id is left alone."""
        try:
            noted: dict[str, float] = json.loads(self._register.read_text())
        except (OSError, ValueError):
            return
        for pid, created in noted.items():
            with suppress(psutil.Error, ProcessLookupError):
                if abs(psutil.Process(int(pid)).create_time() - created) < 1.0:
                    os.killpg(int(pid), signal.SIGKILL)
        self._register.unlink(missing_ok=True)
