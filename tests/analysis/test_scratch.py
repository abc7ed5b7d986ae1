"""Nobody's voice stays in a temporary folder, however the command ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from analysis.backends.scratch import PREFIX, scratch_folder
from tests.analysis.recordings import Picture, record

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
_KEEPS = """
import time
from analysis.backends.scratch import scratch_folder
with scratch_folder() as folder:
    (folder / "audio.f32").write_bytes(b"a voice")
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder of this test's own, for other processes too."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return place


def test_it_is_for_us_alone_and_goes_with_us() -> None:
    with scratch_folder() as folder:
        assert folder.stat().st_mode & 0o077 == 0
    assert not folder.exists()


def test_what_a_killed_process_left_goes_at_the_next_start_and_not_before() -> None:
    command = [sys.executable, "-c", _KEEPS]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        left = Path(process.stdout.readline().strip())
        with scratch_folder():
            assert (left / "audio.f32").exists()
        process.kill()
    assert left.exists()
    with scratch_folder():
        assert not left.exists()


def test_a_killed_command_leaves_no_sound_behind(tmp_path: Path, temporary: Path) -> None:
    film = record(tmp_path / "talk.mp4", picture=Picture(times=[n / 25 for n in range(250)]))
    command = [sys.executable, "-m", "analysis", str(film)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        deadline = time.monotonic() + 60
        while not list(temporary.glob(f"{PREFIX}*/*.json")) and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    deadline = time.monotonic() + 30
    while list(temporary.glob(f"{PREFIX}*")):
        assert time.monotonic() < deadline, "the folder is still there"
        time.sleep(0.05)
