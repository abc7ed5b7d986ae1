"""What the clock of the site starts is started again where that of the machine was set back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from celery.beat import PersistentScheduler, Scheduler

from coach.celery import app
from coach.lib.work.beat import SteadyScheduler

HOUR = timedelta(hours=1)
EVERY = {"often": 5, "seldom": 20}


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., list[str]]]:
    """What a scheduler starts within some seconds, its clock off by so much; it keeps its file."""
    schedule = {name: {"task": name, "schedule": each} for name, each in EVERY.items()}
    before, app.conf.beat_schedule = app.conf.beat_schedule, schedule
    began, off = time.time(), timedelta()

    def now() -> datetime:
        return datetime.fromtimestamp(began, UTC) + off

    def start(kind: type[Scheduler], *, clock: timedelta, seconds: int) -> list[str]:
        nonlocal off
        found: list[str] = []
        monkeypatch.setattr(app, "now", now)
        off = clock
        scheduler: Any = kind(app, schedule_filename=str(tmp_path / "schedule"), lazy=False)
        scheduler.apply_entry = lambda entry, producer=None: found.append(entry.task)
        for _second in range(seconds):
            off += timedelta(seconds=1)
            while scheduler.tick() == 0:
                pass
        scheduler.close()
        return found

    yield start
    app.conf.beat_schedule = before


@pytest.mark.parametrize(
    ("kind", "after"), [(PersistentScheduler, []), (SteadyScheduler, ["often", "seldom"])]
)
def test_a_clock_that_is_set_back_does_not_stop_it(
    kind: type[Scheduler], after: list[str], started: Callable[..., list[str]]
) -> None:
    """The first is Celery's own, which waits until the clock has caught up."""
    assert set(started(kind, clock=HOUR, seconds=45)) == {"often", "seldom"}
    found = started(kind, clock=timedelta(), seconds=45)
    assert sorted(set(found)) == after
    assert found.count("often") in {0, 8, 9}


def test_the_site_uses_it() -> None:
    assert app.conf.beat_scheduler == "coach.lib.work.beat.SteadyScheduler"
