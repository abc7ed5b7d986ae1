"""The supervisor keeps processes running and leaves none behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from coach.lib.embedded import EmbeddedServerError, Postgres, Valkey
from demo import supervisor as supervising
from demo.supervisor import Supervisor

pytestmark = pytest.mark.slow

OBEDIENT = "import time; print('up', flush=True); time.sleep(600)"
DEAF = f"import signal; [signal.signal(s, signal.SIG_IGN) for s in (15, 3)]; {OBEDIENT}"


ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def said() -> list[str]:
    """What the supervisor has said."""
    return []


@pytest.fixture
def make(tmp_path: Path, said: list[str]) -> Iterator[Callable[[], Supervisor]]:
    made: list[Supervisor] = []

    def one() -> Supervisor:
        made.append(Supervisor(tmp_path, environment=os.environ, cwd=tmp_path, say=said.append))
        return made[-1]

    yield one
    for each in made:
        each.stop()


def pids(supervisor: Supervisor) -> list[int]:
    return [child.process.pid for child in supervisor._children if child.process]


def started(supervisor: Supervisor, code: str = OBEDIENT) -> int:
    supervisor.start("one", sys.executable, "-c", code)
    assert supervisor.watch(until=lambda: "up" in supervisor.last_lines("one"), patience=20)
    return pids(supervisor)[0]


def test_a_process_is_told_what_was_found_out_meanwhile(
    make: Callable[[], Supervisor], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The port is chosen last, and mails of the workers lead to it."""
    supervisor = make()
    monkeypatch.setenv("ROSTRUM_ADDRESS", "http://127.0.0.1:8017")
    code = f"import os; print(os.environ['ROSTRUM_ADDRESS']); {OBEDIENT}"
    started(supervisor, code)
    assert "http://127.0.0.1:8017" in supervisor.last_lines("one")


def test_a_process_runs_and_its_words_are_in_its_log(make: Callable[[], Supervisor]) -> None:
    supervisor = make()
    pid = started(supervisor)
    assert psutil.pid_exists(pid)
    supervisor.stop()
    assert not psutil.pid_exists(pid)


def test_the_logs_in_which_mails_are_printed_are_for_their_owner_alone(
    make: Callable[[], Supervisor], tmp_path: Path
) -> None:
    (tmp_path / "log").mkdir(mode=0o755)
    make()
    assert (tmp_path / "log").stat().st_mode & 0o777 == 0o700


def test_a_process_that_dies_is_started_again(
    make: Callable[[], Supervisor], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervising, "RESTART_AFTER_SECONDS", 0.0)
    supervisor = make()
    first = started(supervisor)
    os.kill(first, signal.SIGKILL)
    assert supervisor.watch(until=lambda: pids(supervisor)[0] != first, patience=10)


def test_a_process_that_does_not_listen_is_ended_all_the_same(
    make: Callable[[], Supervisor], monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = tuple((sign, min(patience, 0.2)) for sign, patience in supervising.LAST_WORDS[:2])
    monkeypatch.setattr(supervising, "LAST_WORDS", (*quick, (signal.SIGKILL, 5.0)))
    supervisor = make()
    pid = started(supervisor, DEAF)
    supervisor.stop()
    assert not psutil.pid_exists(pid)


def test_what_a_killed_supervisor_left_behind_is_ended_by_the_next(
    make: Callable[[], Supervisor],
) -> None:
    left = make()
    pid = started(left)
    make()
    deadline = time.monotonic() + 5
    while left._children[0].is_running and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not psutil.pid_exists(pid)


def test_a_stranger_with_a_noted_number_is_left_alone(
    make: Callable[[], Supervisor], tmp_path: Path
) -> None:
    (tmp_path / "processes.json").write_text(f'{{"{os.getpid()}": 1.0}}')
    make()
    assert not (tmp_path / "processes.json").exists()


def test_waiting_for_something_that_never_comes_ends(make: Callable[[], Supervisor]) -> None:
    assert not make().watch(until=lambda: False, patience=0.1)


class FallenServer:
    """A server that was killed, and whose first start does not work."""

    def __init__(self) -> None:
        self.starts = 0

    def is_alive(self) -> bool:
        return self.starts > 1

    def join(self) -> str:
        self.starts += 1
        if self.starts == 1:
            raise EmbeddedServerError("The disk is full.")
        return ""


def test_what_ends_again_and_again_is_started_less_and_less_often(
    make: Callable[[], Supervisor], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervising, "RESTART_AFTER_SECONDS", 0.05)
    supervisor = make()
    supervisor.start("one", sys.executable, "-c", "raise SystemExit(3)")
    pauses = supervisor._children[0].pauses
    assert supervisor.watch(until=lambda: pauses.seconds >= 0.4, patience=20)
    pauses.started_at = time.monotonic() - supervising.WELL_AFTER_SECONDS - 1
    pauses.ended_at = 0.0
    assert pauses.end()
    assert pauses.seconds == 0.05
    assert not pauses.end()


def test_a_server_that_died_is_started_until_it_runs(
    make: Callable[[], Supervisor], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervising, "RESTART_AFTER_SECONDS", 0.0)
    supervisor, server = make(), FallenServer()
    supervisor.guard("Valkey", server)
    assert supervisor.watch(until=server.is_alive, patience=10)
    assert said == [
        "Valkey died and starts again in 0 s.",
        "Valkey did not start: The disk is full.",
        "Valkey died and starts again in 0 s.",
        "Valkey runs again. Nothing is lost.",
    ]


@pytest.mark.parametrize("kind", [Postgres, Valkey])
def test_a_killed_server_is_up_again_within_seconds(
    make: Callable[[], Supervisor],
    servers_folder: Path,
    kind: type[Postgres] | type[Valkey],
) -> None:
    supervisor = make()
    server = kind(Path(tempfile.mkdtemp(dir=servers_folder)) / "server")
    server.join()
    try:
        supervisor.guard(kind.__name__, server)
        for process in psutil.process_iter(["cwd"]):
            if process.info["cwd"] and Path(process.info["cwd"]).is_relative_to(server.folder):
                process.kill()
        assert not server.is_up()
        assert supervisor.watch(until=server.is_up, patience=30)
    finally:
        server.leave()


_IGNORES = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])
"""
_HEEDS = (
    "import time; from demo.__main__ import heed_signals; heed_signals(); print('up', flush=True)"
)


def test_ctrl_c_is_heeded_where_a_script_started_it_in_the_background() -> None:
    """A shell without job control has its background jobs ignore SIGINT."""
    with subprocess.Popen(
        [sys.executable, "-c", _IGNORES, sys.executable, "-c", f"{_HEEDS}; time.sleep(60)"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        process.send_signal(signal.SIGINT)
        _out, errors = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in errors
