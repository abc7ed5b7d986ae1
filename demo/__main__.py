"""Command `python -m demo`: start everything on this machine, print the
address, stop with Ctrl-C.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from gettext import gettext as _
from pathlib import Path
from types import FrameType
from typing import NoReturn

from analysis.errors import AnalysisError
from analysis.results import Note
from analysis.sentences import Reader
from analysis.terminal import set_terminal_language
from coach.lib import embedded
from coach.lib.catalogues.files import compile_all
from coach.lib.work.queues import PROCESSES, WORKERS
from demo.recording import build, talks
from demo.supervisor import Supervisor

ROOT = Path(__file__).resolve().parents[1]
WEB_PATIENCE_SECONDS = 90.0
PORTS_TO_TRY = 50


def main() -> int:
    """Run the demonstration; return 0 after Ctrl-C, or 1 with a sentence if something did not
    start.
    """
    with suppress(
        PermissionError
    ):  # files of another account: the log says so, and everything is in English
        compile_all()
    reader = set_terminal_language()
    chosen = _arguments()
    heed_signals()
    folder = embedded.data_dir()
    folder.mkdir(parents=True, exist_ok=True)
    # Recordings are stored below: for this user only (root's PostgreSQL, another account, may
    # pass).
    folder.chmod(0o700 if os.geteuid() else 0o711)
    # A separate directory: files collected here must not hide changed sources.
    os.environ["STATIC_ROOT"] = str(folder / "collected")
    try:
        with _only_one(folder):
            _run(chosen, folder, reader)
    except KeyboardInterrupt:
        return 0
    except (Failure, embedded.EmbeddedServerError) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


class Failure(Exception):
    """Failure to start; its message says what failed."""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m demo",
        description=_("Start everything on this machine, say where it is, stop it with Ctrl-C."),
    )
    parser.add_argument("--video", type=Path, help=_("a talk of your own instead of ours"))
    parser.add_argument("--port", type=int, default=8000, help=_("the first port to try"))
    parser.add_argument("--no-seed", action="store_true", help=_("no accounts, no takes"))
    chosen = parser.parse_args()
    if chosen.video and not chosen.video.is_file():
        parser.error(_("there is no file {name}").format(name=chosen.video))
    return chosen


def heed_signals() -> None:
    """Interrupt on Ctrl-C and on signals from scripts, whose shell makes background jobs ignore
    SIGINT.
    """
    for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(sign, _interrupt)


def _say(line: str) -> None:
    """Print at once, even if the output goes to a file."""
    print(line, flush=True)


def _interrupt(_sign: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


@contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    with (folder / "demo.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            already = _("Rostrum already runs from this folder. Stop it there first.")
            raise Failure(already) from None
        yield


def _run(chosen: argparse.Namespace, folder: Path, reader: Reader) -> None:
    _say(_("Starting PostgreSQL and Valkey"))
    embedded.provide_secret()
    servers = {"PostgreSQL": embedded.provide_database(), "Valkey": embedded.provide_broker()}
    supervisor = Supervisor(folder, environment=os.environ, cwd=ROOT, say=_say)
    for name, server in servers.items():
        if server is not None:
            supervisor.guard(name, server)
    settling: subprocess.Popen[bytes] | None = None
    # Half a minute on one core, while the database is made on the other.
    building = None if chosen.no_seed or chosen.video else _build_aside(folder)
    try:
        accounts = _python("-m", "demo.preparing", *(["--no-seed"] if chosen.no_seed else []))
        if not chosen.no_seed:
            os.environ.setdefault("ROSTRUM_ACCESS", "request,trial")
        port = _free_port(chosen.port)
        os.environ["ROSTRUM_ADDRESS"] = f"http://127.0.0.1:{port}"
        _start_web(supervisor, port)
        address = f"http://127.0.0.1:{port}/"
        _say(_("Starting web, workers and clock"))
        if not supervisor.watch(until=lambda: _answers(address), patience=WEB_PATIENCE_SECONDS):
            silent = _("The web process does not answer:")
            raise Failure(f"{silent}\n{supervisor.last_lines('web')}")
        _start_workers(supervisor)
        here = _("Rostrum is at")
        _say(f"\n{here}  {address}\n\n{accounts or how_an_account_is_made(address)}")
        stops = _("Logs are in {folder}. Ctrl-C stops everything and keeps the data.")
        _say(stops.format(folder=folder / "log"))
        if not chosen.no_seed:
            _seed_rehearsal(chosen.video, folder, reader, building)
            settling = _bring_to_life(folder, address, reader)
        supervisor.watch(until=lambda: False)
    finally:
        # A second Ctrl-C must not leave half of it running.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _say("\n" + _("Stopping"))
        for process in filter(None, (building, settling)):
            process.terminate()
        supervisor.stop()


def how_an_account_is_made(address: str) -> str:
    """Return the command that creates an account, with the address of this site."""
    words = _(
        "An account, and a link that opens it:\n"
        ".venv/bin/python manage.py add_person ADDRESS --role administrator --site {site}"
    )
    return words.format(site=address.rstrip("/")) + "\n"


def _build_aside(folder: Path) -> subprocess.Popen[bytes]:
    """Make the recording in another process. If that fails, the next attempt says why."""
    command = [sys.executable, "-m", "demo.recording", str(folder / "demo")]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _seed_rehearsal(
    video: Path | None, folder: Path, reader: Reader, building: subprocess.Popen[bytes] | None
) -> None:
    """Submit the recording, unless it was submitted before, once it has been built."""
    if video:
        _manage("seed_demo", "--video", str(video.resolve()))
        return
    if building is not None and building.poll() is None:
        _say(_("Making the demonstration take, only this once. You can already sign in."))
        building.wait()
    try:
        built = build(folder / "demo", say=print)
    except AnalysisError as problem:
        none = _("The demonstration has no take: {why}")
        print(none.format(why=_why(problem, reader)))
        return
    _manage("seed_demo", "--constructed", "--video", str(built))


def _why(problem: AnalysisError, reader: Reader) -> str:
    return Note.of(problem.says, **problem.values).said_to(reader)


def _bring_to_life(folder: Path, address: str, reader: Reader) -> subprocess.Popen[bytes] | None:
    """Submit other people's recordings in a process that also reports and acts when they are
    analysed.
    """
    try:
        recordings = talks(folder / "demo")
    except AnalysisError as problem:
        nobody = _("There are no takes by other people: {why}")
        print(nobody.format(why=_why(problem, reader)))
        recordings = []
    given = [part for path in recordings for part in ("--talk", str(path))]
    options = (*given, "--settle", address, "--skip-checks")
    command = [sys.executable, "manage.py", "seed_demo", *options]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, start_new_session=True)


def _manage(*arguments: str) -> str:
    return _python("manage.py", *arguments, "--skip-checks")


def _python(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        end = "\n".join(done.stderr.splitlines()[-8:])
        failed = _("{command} did not work:").format(command=" ".join(arguments[:2]))
        raise Failure(f"{failed}\n{end}")
    return done.stdout


def _start_web(supervisor: Supervisor, port: int) -> None:
    """Start the web process alone: beside seven workers that load, it would answer much later."""
    supervisor.start(
        "web",
        *(sys.executable, "-m", "gunicorn", "coach.wsgi", "--config", "python:coach.serving"),
        *("--bind", f"127.0.0.1:{port}", "--workers", "1", "--graceful-timeout", "3"),
    )


def _start_workers(supervisor: Supervisor) -> None:
    celery = (sys.executable, "-m", "celery", "-A", "coach")
    for name, queues in WORKERS.items():
        # Long recordings use idle CPU time.
        kindly = ("nice", "-n", "5") if name == "long" else ()
        supervisor.start(
            f"worker-{name}",
            *(*kindly, *celery, "worker", "-Q", ",".join(queues), "-n", f"{name}@%h"),
            *("-c", str(PROCESSES.get(name, 1)), "--loglevel", "INFO"),
            *("--without-gossip", "--without-mingle"),
        )
    supervisor.start("beat", *celery, "beat", "--pidfile=", "--loglevel", "INFO")


def _free_port(first: int) -> int:
    for port in range(first, first + PORTS_TO_TRY):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    none = _("No port between {first} and {last} is free.")
    raise Failure(none.format(first=first, last=first + PORTS_TO_TRY))


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(f"{address}accounts/login/", timeout=5).close()  # noqa: S310
    except urllib.error.HTTPError as error:
        answers = _("The first page answers {code}; see the web log.")
        raise Failure(answers.format(code=error.code)) from error
    except OSError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
