"""What the embedded servers have in common: who holds them, and when they start and stop."""

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

# A unix socket path may have 107 bytes on Linux and 103 on macOS, its own name included.
_SOCKET_FOLDER_MAX = 80
_PLAIN_PATH = re.compile(r"[A-Za-z0-9_./-]+")


class EmbeddedServerError(RuntimeError):
    """An embedded server did not start; the message ends with what its log says."""


class EmbeddedServer(ABC):
    """What the two servers have in common: who holds them, and when they start and stop."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self._held: IO[str] | None = None
        self._holder_pid = 0

    @property
    @abstractmethod
    def url(self) -> str:
        """How a client reaches the server."""

    @property
    @abstractmethod
    def _socket_folder(self) -> Path:
        """Where the socket lies."""

    @abstractmethod
    def is_up(self) -> bool:
        """Whether the server answers."""

    @abstractmethod
    def is_alive(self) -> bool:
        """Whether its process is there, ready or not: one that is must not be started twice."""

    @abstractmethod
    def _start(self) -> None:
        """Start the server and return when it answers."""

    @abstractmethod
    def _stop(self) -> None:
        """Stop the server and return when it has ended."""

    def join(self) -> str:
        """Start the server unless it runs, hold it until `leave` or exit, return its URL.

        Once more by who holds it already: a server that has died is started again.
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
        """Give the server up; stop it if nobody else holds it. Safe to call twice."""
        if self._held is None or self._holder_pid != os.getpid():  # a forked child holds nothing
            return
        atexit.unregister(self.leave)
        self._held.close()
        self._held = None
        self.stop_if_unused()

    def stop_if_unused(self) -> bool:
        """Stop a server that no living process holds; say whether it is stopped now."""
        with self._alone(), (self.folder / "holders.lock").open("a") as holders:
            try:
                fcntl.flock(holders, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            self._stop()
            self._forget_socket_folder()
            return True

    def _forget_socket_folder(self) -> None:
        """A short folder outside ours goes with the server."""
        if not self._socket_folder.is_relative_to(self.folder):
            with suppress(OSError):
                self._socket_folder.rmdir()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One process at a time starts, joins or leaves."""
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
    """The folder itself; where its path is long or unusual, a short private one made from it."""
    if len(os.fsencode(folder)) <= _SOCKET_FOLDER_MAX and _PLAIN_PATH.fullmatch(str(folder)):
        return folder
    short = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"rostrum-{os.geteuid()}-{short}"


def private(folder: Path) -> None:
    """Make the folder for this person only; refuse one that somebody else put there."""
    folder.mkdir(mode=0o700, exist_ok=True)
    seen = folder.lstat()
    if not stat.S_ISDIR(seen.st_mode) or (os.geteuid() and seen.st_uid != os.geteuid()):
        raise EmbeddedServerError(f"{folder} belongs to somebody else.")
    folder.chmod(0o700)
