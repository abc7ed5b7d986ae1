"""Demonstration site for `faults`, with methods that cause the faults."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

import psutil

from bench.site import ROOT, servers_below
from coach.lib.embedded import Postgres, Valkey
from coach.lib.work.queues import WORKERS

START_SECONDS = 180.0
UNLIMITED = {"ROSTRUM_ANALYSES_PER_HOUR": "100000"}
"""One person analyses the same take repeatedly here."""


class Site:
    """Running demonstration in its own directory; each public verb is a fault."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self._port = folder, port
        self._postgres, self._valkey = Postgres(folder / "postgres"), Valkey(folder / "valkey")
        self._demo: subprocess.Popen[bytes] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """Return the settings with which this process reaches the demonstration."""
        return {
            "ROSTRUM_DATA_DIR": str(self.folder),
            "DATABASE_URL": self._postgres.url,
            "CELERY_BROKER_URL": self._valkey.url,
            **UNLIMITED,
        }

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.settle()
        if self._demo is not None:
            self._demo.terminate()
            self._demo.wait(60)

    def child(self, dice: random.Random, holders: Sequence[str]) -> None:
        """Send SIGKILL to the process that computes a stage."""
        _kill(self._one_child(dice, holders))

    def worker(self, dice: random.Random, holders: Sequence[str]) -> None:
        """Send SIGKILL to a worker's main process and its child."""
        for child in self._one_child(dice, holders):
            _kill([child.parent(), child])

    def parent(self, dice: random.Random, holders: Sequence[str]) -> None:
        """Send SIGKILL to a worker's main process alone."""
        _kill(child.parent() for child in self._one_child(dice, holders))

    def backend(self, dice: random.Random, _holders: Sequence[str]) -> None:
        """Send SIGKILL to one PostgreSQL backend; PostgreSQL then ends all others and recovers."""
        servers = servers_below(self.folder, "postgres")
        _kill([dice.choice([each for each in servers if "rostrum" in _title(each)])])

    def postgres(self, _dice: random.Random, _holders: Sequence[str]) -> None:
        """Send SIGKILL to all processes of PostgreSQL."""
        _kill(servers_below(self.folder, "postgres"))

    def valkey(self, _dice: random.Random, _holders: Sequence[str]) -> None:
        """Send SIGKILL to Valkey."""
        _kill(servers_below(self.folder, "valkey"))

    def everything(self, _dice: random.Random, _holders: Sequence[str]) -> None:
        """Send SIGKILL to all processes, servers included; then start them again."""
        if self._demo is not None:
            family = psutil.Process(self._demo.pid).children(recursive=True)
            self._demo.kill()
            _kill([*family, *servers_below(self.folder, "postgres", "valkey")])
            self._demo.wait()
        self._start()

    def settle(self) -> None:
        """Wait until every worker has its child process again."""
        deadline = time.monotonic() + START_SECONDS
        while len(self._workers()) < len(WORKERS) and time.monotonic() < deadline:
            time.sleep(0.2)

    def _one_child(self, dice: random.Random, holders: Sequence[str]) -> list[psutil.Process]:
        """Return one child that holds a stage, or any child if none
        does; empty without children.
        """
        children = list(self._workers().values())
        busy = {int(holder.split()[-2]) for holder in holders if holder}
        chosen = [child for child in children if child.pid in busy] or children
        return [dice.choice(chosen)] if chosen else []

    def _workers(self) -> dict[int, psutil.Process]:
        """Return the child of each worker, by the worker's process id."""
        found: dict[int, psutil.Process] = {}
        if self._demo is not None:
            for process in psutil.Process(self._demo.pid).children():
                with suppress(psutil.Error):
                    if "worker" in process.cmdline() and (children := process.children()):
                        found[process.pid] = children[0]
        return found

    def _start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        said = self.folder / "demo.txt"
        with said.open("wb") as output:
            self._demo = subprocess.Popen(
                [sys.executable, "-m", "demo", "--no-seed", "--port", str(self._port)],
                cwd=ROOT,
                env={
                    **{k: v for k, v in os.environ.items() if k not in self.environment},
                    "ROSTRUM_DATA_DIR": str(self.folder),
                    **UNLIMITED,
                },
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + START_SECONDS
        while b"Rostrum is at" not in said.read_bytes():
            if self._demo.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"The demonstration did not start:\n{said.read_text()}")
            time.sleep(0.2)


def _title(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def _kill(processes: Iterable[psutil.Process | None]) -> None:
    for process in processes:
        if process is not None:
            with suppress(psutil.Error):
                process.send_signal(signal.SIGKILL)
