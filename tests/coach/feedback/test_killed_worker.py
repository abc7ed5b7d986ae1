"""A worker killed in the middle of any stage: the run ends by itself, nothing is done twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.test import override_settings

from coach.feedback.claims import forgotten
from coach.feedback.models import Feedback, Run
from coach.feedback.services import start_run
from coach.feedback.tasks import ring
from tests.coach.factories import RehearsalFactory
from tests.coach.feedback.recordings import wav_bytes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.model]

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_SECONDS = 120


def database_url() -> str:
    """The test database, as another process reaches it."""
    server = urlsplit(os.environ["DATABASE_URL"])
    return server._replace(path=f"/{connection.settings_dict['NAME']}").geturl()


@contextmanager
def worker(fatal: str, broker: str) -> Iterator[subprocess.Popen[bytes]]:
    """A worker in a process group of its own, ended with the block."""
    environment = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "CELERY_BROKER_URL": broker,
        "MEDIA_ROOT": str(settings.MEDIA_ROOT),
        "ROSTRUM_STAGE_LEASE_SECONDS": "2",
        "ROSTRUM_STAGE_MAX_ATTEMPTS": "5",
        "PYTHONPATH": str(ROOT),
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.coach.feedback.dying_worker", fatal],
        cwd=ROOT,
        env=environment,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_for_death(process: subprocess.Popen[bytes]) -> None:
    """Ring as the sweeper does until the worker has met its fatal stage."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None:
        assert time.monotonic() < deadline, "the worker never met its fatal stage"
        ring(forgotten())
        time.sleep(0.2)
    assert process.returncode == -signal.SIGKILL


@override_settings(STAGE_LEASE_SECONDS=2)
def test_a_worker_killed_in_any_stage_costs_only_that_stage(models: Path, broker_url: str) -> None:
    rehearsal = RehearsalFactory(content=wav_bytes(3), duration=None, has_video=None)
    run = start_run(rehearsal=rehearsal, actor=rehearsal.owner)
    fatal_stages = ("prepare", "transcribe", "watch", "assemble", "draft")
    for fatal in fatal_stages:
        with worker(fatal, broker_url) as process:
            wait_for_death(process)
    with worker("none", broker_url):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while Run.objects.get(pk=run.pk).state == "running":
            assert time.monotonic() < deadline, "the run never came to its end"
            ring(forgotten())
            time.sleep(0.2)
    run.refresh_from_db()
    assert run.state == "done"
    attempts = dict(run.stages.values_list("name", "attempts"))
    attempts.pop("playback")
    assert attempts.pop("listen") == 1
    assert set(attempts.values()) == {2}
    assert Feedback.objects.filter(run=run).count() == 1
