"""The supervisor keeps processes running and leaves none behind."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from demo import supervisor as supervising
from demo.supervisor import Supervisor

OBEDIENT = "import time; print('up', flush=True); time.sleep(600)"
DEAF = f"import signal; [signal.signal(s, signal.SIG_IGN) for s in (15, 3)]; {OBEDIENT}"


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[[], Supervisor]]:
    made: list[Supervisor] = []

    def one() -> Supervisor:
        made.append(Supervisor(tmp_path, environment=os.environ, cwd=tmp_path, say=said.append))
        return made[-1]

    said: list[str] = []
    yield one
    for each in made:
        each.stop()


def pids(supervisor: Supervisor) -> list[int]:
    return [child.process.pid for child in supervisor._children if child.process]


def started(supervisor: Supervisor, code: str = OBEDIENT) -> int:
    supervisor.start("one", sys.executable, "-c", code)
    assert supervisor.watch(until=lambda: "up" in supervisor.last_lines("one"), patience=20)
    return pids(supervisor)[0]


def test_a_process_runs_and_its_words_are_in_its_log(make: Callable[[], Supervisor]) -> None:
    supervisor = make()
    pid = started(supervisor)
    assert psutil.pid_exists(pid)
    supervisor.stop()
    assert not psutil.pid_exists(pid)


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
