"""What the suite does where a part of the machine is missing, and how its tests share one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


def run_suite(*tests: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-c", "pyproject.toml", "-p", "no:cacheprovider", *tests],
        cwd=ROOT,
        env={**os.environ, "CI": "", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


NO_LOOP = """
import asyncio
import pytest

def test_no_loop_runs_here():
    with pytest.raises(RuntimeError, match="no running event loop"):
        asyncio.get_running_loop()

def test_that_wants_more():
    pytest.importorskip("no_such_library", reason="no_such_library is not installed")
"""


def test_without_a_chromium_nothing_is_started_and_the_end_says_what_was_not_tested(
    tmp_path: Path,
) -> None:
    (tmp_path / "test_afterwards.py").write_text(NO_LOOP)
    done = run_suite(
        "tests/browser/test_front_upload.py",
        str(tmp_path / "test_afterwards.py"),
        ROSTRUM_CHROMIUM="/no/such/chromium",
    )
    assert done.returncode == 0, done.stdout
    heading, untested, other, counts = [line for line in done.stdout.splitlines() if line][-4:]
    assert "not tested on this machine" in heading
    why = "since ROSTRUM_CHROMIUM names no program: /no/such/chromium"
    assert re.match(rf"pages in a real browser: \d+ tests, {why}\. ", untested)
    assert "apt-get install -y chromium" in untested
    assert other == "1 test: no_such_library is not installed"
    assert re.search(r" 1 passed, \d+ skipped ", counts)


def test_where_ci_is_set_a_missing_part_is_an_error_but_for_the_shared_recordings(
    tmp_path: Path,
) -> None:
    done = run_suite(
        "tests/browser/test_front_said.py",
        "tests/analysis/test_hostile_shared.py",
        CI="true",
        ROSTRUM_CHROMIUM="/no/such/chromium",
        ROSTRUM_SHARED_MEDIA=str(tmp_path),
    )
    assert done.returncode == 1
    assert "CI is set, and ROSTRUM_CHROMIUM names no program: /no/such/chromium." in done.stdout
    errors = [line for line in done.stdout.splitlines() if line.startswith("ERROR ")]
    assert errors
    assert {line.split("::")[0] for line in errors} == {"ERROR tests/browser/test_front_said.py"}
    assert f"since there is no MANIFEST.csv in {tmp_path}" in done.stdout
    assert re.search(rf"= \d+ skipped, {len(errors)} errors(, \d+ rerun)? in ", done.stdout)


@pytest.mark.usefixtures("db")
def test_each_worker_has_a_database_of_its_own(worker_id: str) -> None:
    name = connection.settings_dict["NAME"]
    assert name.startswith("test_")
    assert worker_id == "master" or name.endswith(f"_{worker_id}")
