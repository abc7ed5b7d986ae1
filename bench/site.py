"""An installation of its own for a benchmark: PostgreSQL and the product, nothing of yours."""

from __future__ import annotations

import os
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

import django
from django.core.management import call_command

from coach.lib.embedded import Postgres

ROOT = Path(__file__).resolve().parents[1]
_PATIENCE_SECONDS = 60.0


@contextmanager
def installation() -> Iterator[Path]:
    """Its data folder; Django is set up and the tables are there. Once a process."""
    with tempfile.TemporaryDirectory(prefix="rostrum-bench-") as name:
        folder = Path(name)
        # PostgreSQL, another account where this is root, has to pass.
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


@contextmanager
def served() -> Iterator[str]:
    """The product's web process as the demonstration starts it; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "coach.wsgi", "--config", "python:coach.serving"]
    web = subprocess.Popen([*command, "--bind", f"127.0.0.1:{port}", "--workers", "1"], cwd=ROOT)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{address}/accounts/login/")
        yield address
    finally:
        web.terminate()
        web.wait(timeout=30)


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
