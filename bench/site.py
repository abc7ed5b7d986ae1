"""A temporary installation for a benchmark: PostgreSQL and the product."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import django
import psutil
from django.core.management import call_command

from coach.lib.embedded import Postgres

ROOT = Path(__file__).resolve().parents[1]
_PATIENCE_SECONDS = 60.0


@contextmanager
def installation() -> Iterator[Path]:
    """Set up Django and the tables, once per process; yield the data directory."""
    with tempfile.TemporaryDirectory(prefix="rostrum-bench-") as name:
        folder = Path(name)
        # PostgreSQL, which runs under another account if this is root, needs access.
        folder.chmod(0o711)
        server = Postgres(folder / "postgres")
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "coach.settings",
            "DATABASE_URL": server.join(),
            "ROSTRUM_DATA_DIR": str(folder),
            "STATIC_ROOT": str(folder / "collected"),
            "SECRET_KEY": "only-for-this-benchmark-and-gone-with-it",
            "LOG_LEVEL": "WARNING",
        }
        try:
            django.setup()
            call_command("migrate", verbosity=0)
            call_command("collectstatic", verbosity=0, interactive=False)
            yield folder
        finally:
            django.db.connections.close_all()
            server.leave()


class Web:
    """Web process of the product as started by the demonstration, on a free port."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        self.end()

    def start(self) -> None:
        """Start it, and wait until it responds."""
        command = [sys.executable, "-m", "gunicorn", "coach.wsgi"]
        options = ["--config=python:coach.serving", "--workers=1", "--access-logfile=/dev/null"]
        options.append(f"--bind=127.0.0.1:{self.port}")
        self.process = subprocess.Popen([*command, *options], cwd=ROOT, start_new_session=True)
        _wait_for(f"{self.address}/accounts/login/")

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Send a signal to all of its processes, and wait for their end."""
        process = self.process
        if process is not None and process.poll() is None:
            os.killpg(process.pid, how)
            process.wait(timeout=30)


def servers_below(folder: Path, *names: str) -> list[psutil.Process]:
    """Return the processes of these servers that run in a directory."""
    return [
        process
        for process in psutil.process_iter(["name", "cwd"])
        if (process.info["name"] or "").startswith(names)
        and Path(process.info["cwd"] or "/").is_relative_to(folder)
    ]


def _wait_for(address: str) -> None:
    until = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            urllib.request.urlopen(address, timeout=5).close()  # noqa: S310 - our own address
        except (urllib.error.URLError, OSError):
            if time.monotonic() > until:
                raise
            time.sleep(0.2)
        else:
            return
