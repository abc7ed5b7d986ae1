"""The database is away for a moment, a worker hangs, a take is deleted: stages live on."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction
from django.db.models.functions import Now
from django.test import override_settings

from analysis import pipeline
from coach.feedback.models import Run, Stage
from coach.feedback.runs import execution
from coach.feedback.runs.execution import execute
from coach.feedback.runs.stage_leases import Wakeup, acquire, acquire_next, hold_run, stale
from coach.feedback.services import start_run
from coach.lib.work import outages
from coach.lib.work.leases import TimeLimit, heartbeat
from coach.lib.work.outages import AWAY, retry_while_away
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import delete_rehearsal
from tests.coach.factories import RehearsalFactory
from tests.coach.feedback.recordings import wav_bytes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[3]
_TAKES_AND_DIES = """
import os, signal, sys, django
django.setup()
from coach.feedback.runs.stage_leases import acquire
assert acquire(int(sys.argv[1]))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def run() -> Run:
    rehearsal = RehearsalFactory(content=wav_bytes(2), duration=None, has_video=None)
    return start_run(rehearsal=rehearsal, actor=rehearsal.owner)


@pytest.fixture
def cut_off(database_url: str) -> Callable[[], None]:
    """Ends every connection to the test database, as a crash of one back end does."""

    def cut() -> None:
        name = connection.settings_dict["NAME"]
        with psycopg.connect(database_url, autocommit=True) as other:
            query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
            other.execute(query, (name,))

    return cut


def first(run: Run) -> Stage:
    return run.stages.get(name="prepare")


@override_settings(STAGE_LEASE_SECONDS=2)
@pytest.mark.parametrize("moment", ["before", "progress", "after"])
def test_a_lost_connection_costs_no_attempt(
    run: Run, cut_off: Callable[[], None], monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    real = pipeline.run_stage

    def interrupted(name: str, *, progress: Callable[[float], None], **given: Any) -> object:
        if moment != "after":
            cut_off()
        if moment == "progress":
            progress(0.5)
        record = real(name, progress=progress, **given)
        time.sleep(2.5)  # longer than the lease: the heartbeat must have found its way back
        if moment == "after":
            cut_off()
        return record

    monkeypatch.setattr(execution.pipeline, "run_stage", interrupted)
    assert {wakeup.queue for wakeup in execute(first(run).queue)} == {"speech", "media", "vision"}
    stage = first(run)
    assert (stage.state, stage.attempts) == ("done", 1)


def test_a_database_that_stays_away_is_given_up_in_the_end(
    cut_off: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []
    pauses: list[float] = []
    clock = SimpleNamespace(monotonic=lambda: sum(pauses), sleep=pauses.append)
    monkeypatch.setattr(outages, "time", clock)

    def look() -> int:
        tries.append(1)
        Run.objects.count()
        cut_off()
        return Run.objects.count()

    with pytest.raises(AWAY):
        retry_while_away(look, patience=1.0)
    assert (len(tries), pauses) == (3, [0.2, 0.4])
    connection.close()
    tries.clear()
    with pytest.raises(AWAY), transaction.atomic():  # half of it would be done twice
        retry_while_away(look)
    assert len(tries) == 1


def test_a_stage_whose_worker_was_killed_is_free_at_once(
    run: Run, worker_environment: dict[str, str]
) -> None:
    stage = first(run)
    subprocess.run(
        [sys.executable, "-c", _TAKES_AND_DIES, str(stage.pk)],
        cwd=ROOT,
        env=worker_environment,
        check=False,
    )
    stage.refresh_from_db()
    assert stage.state == "running"
    assert stale() == [Wakeup(queue=stage.queue)]
    assert stale() == []  # it was enqueued a moment ago
    assert acquire(stage.pk) is not None
    assert acquire(stage.pk) is None


@override_settings(STAGE_LEASE_SECONDS=1)
def test_a_stage_that_hangs_loses_its_lease_although_its_process_lives(run: Run) -> None:
    stage = first(run)
    hanging = acquire(stage.pk)
    assert hanging is not None
    with heartbeat(hanging, TimeLimit(limit=1.2)):
        assert acquire(stage.pk) is None
        deadline = time.monotonic() + 60
        while acquire(stage.pk) is None:
            assert time.monotonic() < deadline, "it is never given up"
            time.sleep(0.1)


@override_settings(STAGE_LEASE_SECONDS=2)
def test_a_clock_that_is_set_forward_takes_nothing_from_who_still_works(run: Run) -> None:
    """All leases run out at once; a worker that lives renews its own before anybody believes it."""
    held = acquire(first(run).pk)
    assert held is not None
    mine = Stage.objects.filter(pk=held.key)
    # As one that nobody can ask about: of another machine.
    mine.update(holder="another-machine pid:[1] 2 3")
    an_hour_ago = Now() - timedelta(hours=1)
    with heartbeat(held):
        mine.update(lease_until=an_hour_ago)
        assert acquire_next(first(run).queue) is None
        mine.update(lease_until=an_hour_ago)
        assert acquire(first(run).pk) is None
    assert held.row.exists()
    mine.update(lease_until=an_hour_ago)
    assert acquire_next(first(run).queue) is not None


def test_deleting_a_take_waits_for_a_stage_that_ends_and_never_against_it(run: Run) -> None:
    began = threading.Event()

    def delete() -> None:
        began.set()
        try:
            delete_rehearsal(rehearsal=Rehearsal.objects.get(pk=run.rehearsal_id))
        finally:
            connection.close()

    deleting = threading.Thread(target=delete)
    with transaction.atomic():
        assert hold_run(run.pk) is not None
        deleting.start()
        began.wait()
        time.sleep(0.5)
        # Whoever deletes holds none of the rows that we lock next: else each waits for the other.
        assert len(Stage.objects.select_for_update(nowait=True).filter(run=run)) > 1
    deleting.join()
    assert not Run.objects.exists()
    assert hold_run(run.pk) is None
