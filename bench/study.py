"""Benchmark `study`: a synthetic study exported twice: seconds, memory, identical bytes."""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bench.site import ROOT, installation

GOAL_SECONDS, GOAL_MIB = 60, 500


def main(arguments: Sequence[str]) -> int:
    """Print the figures of both exports; return 1 if a goal is missed or the bytes differ."""
    parser = argparse.ArgumentParser(prog="python -m bench study", description=__doc__)
    parser.parse_args(list(arguments))
    with installation() as folder:
        slug = _manage("make_demo_study").stdout.split()[-1]
        exports = [_export(slug, folder / f"{number}.zip") for number in (1, 2)]
    for seconds, mebibytes, size, digest in exports:
        print(f"{seconds:.1f} s, {mebibytes:.0f} MiB, {size / 1e6:.1f} MB, {digest[:16]}")
    print(f"Goal: {GOAL_SECONDS} s, {GOAL_MIB} MiB, the same bytes.")
    is_slow = any(each[0] > GOAL_SECONDS or each[1] > GOAL_MIB for each in exports)
    return int(is_slow or exports[0][3] != exports[1][3])


def _manage(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)


def _export(slug: str, target: Path) -> tuple[float, float, int, str]:
    """Return seconds, peak MiB of the process, bytes and digest."""
    command = [sys.executable, "manage.py", "export_study", slug, "--out", str(target)]
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    _pid, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(process.returncode)
    seconds = time.perf_counter() - started
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    return seconds, usage.ru_maxrss / 1024, target.stat().st_size, digest
