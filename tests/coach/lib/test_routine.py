"""The sweeps of every five seconds fill no log; everything else is told."""

from __future__ import annotations

import logging
import time

import pytest
from celery.beat import SchedulingError
from celery.worker import strategy
from django.conf import settings

from coach.celery import app
from coach.lib.logs.routine import ROUTINE

TRACE, CLOCK = "celery.app.trace", "celery.beat"


@pytest.mark.parametrize("task", sorted(ROUTINE))
def test_a_sweep_is_sent_received_and_done_without_a_word(
    task: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert task in {each["task"] for each in settings.CELERY_BEAT_SCHEDULE.values()}
    assert app.tasks is not None
    with caplog.at_level(logging.INFO):
        logging.getLogger(TRACE).info(
            "Task %(name)s", {"name": task}, extra={"data": {"name": task}}
        )
        logging.getLogger(strategy.__name__).info("received", extra={"data": {"name": task}})
        logging.getLogger(CLOCK).info("Scheduler: Sending due task %s (%s)", "sweep", task)
    assert caplog.records == []


def test_whatever_the_clock_starts_each_minute_or_more_often_is_routine() -> None:
    """Three lines each time would be some ten thousand a day."""
    often = {e["task"] for e in settings.CELERY_BEAT_SCHEDULE.values() if e["schedule"] <= 60}
    assert often == ROUTINE


def test_what_fails_and_what_is_no_routine_is_told(caplog: pytest.LogCaptureFixture) -> None:
    stage = "coach.feedback.tasks.run_stage"
    with caplog.at_level(logging.INFO):
        logging.getLogger(TRACE).info("done", extra={"data": {"name": stage}})
        logging.getLogger(TRACE).error("failed", extra={"data": {"name": next(iter(ROUTINE))}})
        logging.getLogger(CLOCK).info("Scheduler: Sending due task %s (%s)", "clear", "other")
    assert len(caplog.records) == 3


def test_that_the_broker_is_away_is_said_in_one_line_a_minute(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the clock itself says it, for every sweep of every five seconds."""
    log, now = logging.getLogger(CLOCK), time.monotonic()
    for seconds in (0, 5, 59, 61):
        monkeypatch.setattr(time, "monotonic", lambda seconds=seconds: now + 1000 + seconds)
        away = SchedulingError("Couldn't apply scheduled task sweep: no such socket")
        log.error("Message Error: %s\n%s", away, ["a stack"], exc_info=away)
    log.error("something else", exc_info=ValueError("odd"))
    told = [record.getMessage() for record in caplog.records]
    assert told == 2 * [f"the broker is away: {away}"] + ["something else"]
    assert [bool(record.exc_info) for record in caplog.records] == [False, False, True]
