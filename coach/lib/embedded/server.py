"""Shared behaviour of the embedded servers: who uses them, and when they start and stop."""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import os
import re
import stat
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

PATIENCE_SECONDS = 60.0
"""A start takes under a second; replaying a log after a crash on a busy machine takes longer."""

# A Unix socket path may have 107 bytes on Linux and 103 on macOS, its file name included.
_SOCKET_FOLDER_MAX = 80
_PLAIN_PATH = re.compile(r"[A-Za-z0-9_./-]+")


class EmbeddedServerError(RuntimeError):
    """Failure to start an embedded server; the message ends with the last lines of its log."""


class EmbeddedServer(ABC):
    """A server that starts with its first user and stops with its last."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self._held: IO[str] | None = None
        self._holder_pid = 0

    @property
    @abstractmethod
    def url(self) -> str:
        """Return the URL for clients."""

    @property
    @abstractmethod
    def _socket_folder(self) -> Path:
        """Return the folder of the socket."""

    @abstractmethod
    def is_up(self) -> bool:
        """Return whether the server answers."""

    @abstractmethod
    def is_alive(self) -> bool:
        """Return whether its process runs, ready or not; a running one must not be started
        twice.
        """

    @abstractmethod
    def _start(self) -> None:
        """Start the server and return when it answers."""

    @abstractmethod
    def _stop(self) -> None:
        """Stop the server and return when it has ended."""

    def join(self) -> str:
        """Start the server if necessary, register as a user until `leave` or exit, and return its
        URL.

        A second call by the same process restarts a server that has died.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._alone():
            if not self.is_up():
                self._start()
            if self._held is None:
                self._held = (self.folder / "holders.lock").open("a")
                fcntl.flock(self._held, fcntl.LOCK_SH)
                self._holder_pid = os.getpid()
                atexit.register(self.leave)
        return self.url

    def leave(self) -> None:
        """Stop using the server, and stop it if nobody else uses it. Safe to call twice."""
        if self._held is None or self._holder_pid != os.getpid():  # a forked child holds nothing
            return
        atexit.unregister(self.leave)
        self._held.close()
        self._held = None
        self.stop_if_unused()

    def stop_if_unused(self) -> bool:
        """Stop the server if no living process uses it; return whether it is stopped now."""
        with self._alone(), (self.folder / "holders.lock").open("a") as holders:
            try:
                fcntl.flock(holders, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            self._stop()
            self._forget_socket_folder()
            return True

    def _forget_socket_folder(self) -> None:
        """Remove the socket folder if it is outside our own folder."""
        if not self._socket_folder.is_relative_to(self.folder):
            with suppress(OSError):
                self._socket_folder.rmdir()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock that lets one process at a time start, join or leave."""
        with (self.folder / "change.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _wait_until_up(self, log: Path) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            if self.is_up():
                return
            time.sleep(0.05)
        raise EmbeddedServerError(with_log(f"{type(self).__name__} does not answer.", log))


def with_log(sentence: str, log: Path) -> str:
    lines = log.read_text(errors="replace").splitlines()[-5:] if log.exists() else []
    return "\n".join([sentence, *lines])


def socket_folder(folder: Path) -> Path:
    """Return the folder itself, or a short private one derived from it if its path is long
    or unusual.
    """
    if len(os.fsencode(folder)) <= _SOCKET_FOLDER_MAX and _PLAIN_PATH.fullmatch(str(folder)):
        return folder
    short = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"rostrum-{os.geteuid()}-{short}"


def private(folder: Path) -> None:
    """Create a folder for the current account only. Raises EmbeddedServerError if another
    owns it.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    seen = folder.lstat()
    if not stat.S_ISDIR(seen.st_mode) or (os.geteuid() and seen.st_uid != os.geteuid()):
        raise EmbeddedServerError(f"{folder} belongs to somebody else.")
    folder.chmod(0o700)
