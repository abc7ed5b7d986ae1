"""A worker killed in the middle of any stage: the run ends by itself, nothing is done twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
from django.test import override_settings

from coach.feedback.models import Feedback, Run
from coach.feedback.runs.stage_leases import stale
from coach.feedback.services import start_run
from coach.feedback.tasks import enqueue
from tests.coach.factories import RehearsalFactory
from tests.coach.feedback.recordings import wav_bytes

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_SECONDS = 400


@contextmanager
def workers(*fatal: str, environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """One after the other, each in a process group of its own, ended with the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.coach.feedback.dying_worker", *fatal],
        cwd=ROOT,
        env={**environment, "ROSTRUM_STAGE_MAX_ATTEMPTS": "5", "PYTHONPATH": str(ROOT)},
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        with suppress(psutil.NoSuchProcess):
            forking = psutil.Process(process.pid)
            forking.suspend()
            for each in forking.children():
                os.killpg(each.pid, signal.SIGKILL)
        process.kill()
        process.wait()


def wait_for_the_end(run: Run) -> None:
    """Enqueue as the sweeper does until the run has ended."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while Run.objects.get(pk=run.pk).state == "running":
        assert time.monotonic() < deadline, "the run never came to its end"
        enqueue(stale())
        time.sleep(0.2)
    run.refresh_from_db()
    assert run.state == "done"


@pytest.fixture
def run(models: Path) -> Run:
    rehearsal = RehearsalFactory(content=wav_bytes(3), duration=None, has_video=None)
    return start_run(rehearsal=rehearsal, actor=rehearsal.owner)


def attempts(run: Run) -> dict[str, int]:
    return dict(run.stages.exclude(name="playback").values_list("name", "attempts"))


@override_settings(STAGE_LEASE_SECONDS=2)
def test_a_worker_killed_in_any_stage_costs_only_that_stage(
    run: Run, worker_environment: dict[str, str]
) -> None:
    met = ("prepare", "transcribe", "watch", "assemble", "draft")
    with workers(*met, "none", environment=worker_environment) as process:
        wait_for_the_end(run)
        # The healthy one is still there: it takes the death of all others to come to it.
        assert process.poll() is None
    counted = attempts(run)
    assert counted.pop("listen") == 1
    assert set(counted.values()) == {2}
    assert Feedback.objects.filter(run=run).count() == 1


@override_settings(STAGE_LEASE_SECONDS=2)
def test_a_worker_that_hangs_is_ended_and_its_stage_tried_again(
    run: Run, worker_environment: dict[str, str]
) -> None:
    with workers("hangs", environment=worker_environment):
        wait_for_the_end(run)
    assert attempts(run)["listen"] == 2
    assert Feedback.objects.filter(run=run).count() == 1
