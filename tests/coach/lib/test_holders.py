"""A process that has ended is known to have ended, and nothing else is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from coach.lib.work import lease_holders
from coach.lib.work.lease_holders import is_gone, this_process

ROOT = Path(__file__).resolve().parents[3]
_NAMED = (
    "from coach.lib.work.lease_holders import this_process; "
    "print(this_process(), flush=True); input()"
)


@contextmanager
def other_process() -> Iterator[tuple[subprocess.Popen[str], str]]:
    with subprocess.Popen(
        [sys.executable, "-c", _NAMED],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
        process.kill()


def test_one_that_lives_is_not_gone_and_one_that_was_killed_is() -> None:
    assert not is_gone(this_process())
    with other_process() as (process, name):
        assert name != this_process()
        assert not is_gone(name)
        process.send_signal(signal.SIGSTOP)
        assert not is_gone(name)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # dead, and not yet buried
        assert is_gone(name)
    assert is_gone(name)


def test_a_number_that_was_given_to_another_process_is_another_process() -> None:
    here, pid, began = this_process().rsplit(" ", 2)
    assert is_gone(f"{here} {pid} {int(began) - 1}")


def test_of_another_machine_or_container_nothing_is_known() -> None:
    _here, pid, began = this_process().rsplit(" ", 2)
    assert not is_gone(f"another-boot pid:[1] {pid} {int(began) - 1}")
    assert not is_gone("")


@pytest.fixture
def a_proc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A /proc of our own, in which this process is the only one to be seen."""
    ours = f"{os.getpid()}/stat"
    for name in ("sys/kernel/random/boot_id", "1/stat", ours):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((Path("/proc") / name).read_bytes())
    (tmp_path / "self/ns").mkdir(parents=True)
    (tmp_path / "self/ns/pid").symlink_to(Path("/proc/self/ns/pid").readlink())
    monkeypatch.setattr(lease_holders, "_PROC", tmp_path)
    lease_holders._host_id.cache_clear()
    yield tmp_path
    lease_holders._host_id.cache_clear()


def test_where_others_cannot_be_seen_nobody_is_gone(a_proc: Path) -> None:
    with other_process() as (_process, name):
        assert is_gone(name)  # it seems so, and the first process is there to be seen
        (a_proc / "1/stat").unlink()
        lease_holders._host_id.cache_clear()
        assert not is_gone(name)
        assert this_process() == ""


def test_who_cannot_look_says_of_nobody_that_they_are_gone(a_proc: Path) -> None:
    with other_process() as (process, name):
        (a_proc / f"{process.pid}").mkdir()
        (a_proc / f"{process.pid}/stat").mkdir()  # cannot be opened, and is not missing
        assert not is_gone(name)
