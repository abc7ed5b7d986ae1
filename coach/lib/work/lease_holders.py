"""Which process holds a piece of work, and whether that process is known to have ended.

A worker that is killed leaves its lease behind. Where the kernel can say that it is gone, nobody
need wait for the lease to run out; where it cannot (another machine, another container, another
system than Linux), the lease alone decides.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

_PROC = Path("/proc")
_STATE, _STARTED = 0, 19
"""Places in /proc/PID/stat behind the name, which is in brackets and may hold anything."""


def this_process() -> str:
    """A name that no other process has, here or elsewhere; empty where there is none."""
    try:
        began = _began(os.getpid())
    except OSError:
        return ""
    return f"{_here()} {os.getpid()} {began}" if began and _here() else ""


def this_machine() -> str:
    """How the names of this machine's processes begin, in whatever container; empty: unknown."""
    return f"{_here().split()[0]} " if _here() else ""


def machine_of(holder: str) -> str:
    """Which machine a process is on, or was."""
    return holder.partition(" ")[0]


def is_gone(holder: str) -> bool:
    """Whether that process has surely ended. False where it cannot be told from here."""
    here, _space, rest = holder.rpartition(" ")[0].rpartition(" ")
    if not here or here != _here():
        return False
    try:
        return _began(int(rest)) != holder.rpartition(" ")[2]
    except OSError:  # such as too many open files: nothing is known of anybody
        return False


@cache
def _here() -> str:
    """One start of one machine, and the process numbers that count there (a container's own).

    Empty where other people's processes cannot be seen (`hidepid`, systemd's `ProtectProc`): they
    would look as if they had ended. The first process is always somebody's.
    """
    try:
        (_PROC / "1/stat").read_bytes()
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {(_PROC / 'self/ns/pid').readlink()}"
    except OSError:
        return ""


def _began(pid: int) -> str:
    """When it started, in ticks since the machine did; empty once it has ended."""
    try:
        fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return "" if fields[_STATE] in {"Z", "X"} else fields[_STARTED]
