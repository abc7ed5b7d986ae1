"""A process that has ended is known to have ended, and nothing else is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from coach.lib.holders import is_gone, this_process

ROOT = Path(__file__).resolve().parents[3]
_NAMED = "from coach.lib.holders import this_process; print(this_process(), flush=True); input()"


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
