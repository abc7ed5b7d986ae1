"""The process that holds a lease, and whether it has certainly ended.

A killed worker leaves its lease behind. If the kernel confirms that the process has ended, no other
worker waits for the lease to expire; if it cannot (another machine, another container, another
system than Linux), the lease alone decides.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

_PROC = Path("/proc")
_STATE, _STARTED = 0, 19
"""Positions in /proc/PID/stat after the name, which is in brackets and may contain anything."""


def this_process() -> str:
    """Return a globally unique name of this process; empty if there is none."""
    try:
        began = _began(os.getpid())
    except OSError:
        return ""
    return f"{_host_id()} {os.getpid()} {began}" if began and _host_id() else ""


def this_machine() -> str:
    """Return the common prefix of process names on this machine, in any container; empty if
    unknown.
    """
    return f"{_host_id().split()[0]} " if _host_id() else ""


def machine_of(holder: str) -> str:
    """Return the machine of a process."""
    return holder.partition(" ")[0]


def is_gone(holder: str) -> bool:
    """Return whether the process has certainly ended. False if this cannot be known from here."""
    here, _space, rest = holder.rpartition(" ")[0].rpartition(" ")
    if not here or here != _host_id():
        return False
    try:
        return _began(int(rest)) != holder.rpartition(" ")[2]
    except OSError:  # such as too many open files: nothing is known of anybody
        return False


@cache
def _host_id() -> str:
    """Return an id for this boot of the machine and this process namespace (a container's own).

    Empty if other accounts' processes are hidden (`hidepid`, systemd's `ProtectProc`): they would
    look as if they had ended. Process 1 always belongs to another account.
    """
    try:
        (_PROC / "1/stat").read_bytes()
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {(_PROC / 'self/ns/pid').readlink()}"
    except OSError:
        return ""


def _began(pid: int) -> str:
    """Return the start time of a process in ticks since boot; empty if it has ended."""
    try:
        fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return "" if fields[_STATE] in {"Z", "X"} else fields[_STARTED]
