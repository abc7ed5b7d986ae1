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


DAY = timedelta(days=1)


class Nights:
    """A site that runs for some hours a day, each time with a new process of its clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.started: list[str] = []
        self.is_broker_away = False
        self._now = datetime(2026, 11, 1, tzinfo=UTC)
        monkeypatch.setattr(app, "now", lambda: self._now)
        monkeypatch.setattr(SteadyScheduler, "producer", None)
        monkeypatch.setattr(SteadyScheduler, "send_task", self._take)
        monkeypatch.setattr("coach.lib.work.beat.close_old_connections", lambda: None)

    def _take(self, task: str, *_args: object, **_options: object) -> None:
        if self.is_broker_away:
            raise OSError
        self.started.append(task)

    def run(self, *, hours: float) -> list[str]:
        """What is started within so many hours of a process that is new."""
        self.started.clear()
        scheduler = SteadyScheduler(app, lazy=False)
        for _minute in range(round(hours * 60)):
            self._now += timedelta(minutes=1)
            while scheduler.tick() == 0:
                pass
        self._now += DAY - timedelta(hours=hours)
        return list(self.started)


@pytest.fixture
def nights(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Nights]:
    schedule = {
        "daily": {"task": "daily", "schedule": 24 * 3600},
        "hourly": {"task": "hourly", "schedule": 3600},
    }
    before, app.conf.beat_schedule = app.conf.beat_schedule, schedule
    yield Nights(monkeypatch)
    app.conf.beat_schedule = before


def test_what_is_due_daily_happens_on_a_site_that_restarts_every_night(nights: Nights) -> None:
    for _day in range(3):
        assert nights.run(hours=2.5).count("daily") == 1


def test_a_restart_starts_nothing_that_was_started_a_moment_ago(nights: Nights) -> None:
    assert sorted(set(nights.run(hours=1.5))) == ["daily", "hourly"]
    nights._now -= DAY - timedelta(hours=1.5)
    assert nights.run(hours=0.2) == []


def test_what_the_broker_did_not_take_is_tried_again_within_minutes(nights: Nights) -> None:
    nights.is_broker_away = True
    assert nights.run(hours=0.2) == []
    nights.is_broker_away = False
    nights._now -= DAY - timedelta(hours=0.2)
    assert sorted(nights.run(hours=0.2)) == ["daily", "hourly"]


def test_the_site_uses_it() -> None:
    assert app.conf.beat_scheduler == "coach.lib.work.beat.SteadyScheduler"
