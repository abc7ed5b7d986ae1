"""A wakeup only says that something waits; a long line does not fill the broker with wakeups."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest

from coach.celery import app
from coach.curation.dry_runs.tasks import enqueue as enqueue_dry_run
from coach.feedback import tasks
from coach.feedback.runs.stage_leases import Wakeup
from coach.feedback.tasks import enqueue
from coach.lib.work.queues import ALL_QUEUES, STAGE_QUEUES
from coach.research.coding.models import Recording
from coach.research.coding.recordings.tasks import enqueue as enqueue_recording
from coach.research.exports.tasks import enqueue as enqueue_export
from coach.research.exports.tasks import enqueue_import
from coach.schedule import beat_schedule


@pytest.fixture(autouse=True)
def _silence(broker_url: str) -> Iterator[None]:
    """No wakeup before and none after."""
    with app.connection_for_write() as broker:
        for queue in ALL_QUEUES:
            broker.default_channel.queue_purge(queue)
        yield
        for queue in ALL_QUEUES:
            broker.default_channel.queue_purge(queue)


def needed(*queues: str) -> list[str]:
    wakeups = [Wakeup(queue=each) for each in queues]
    return [wakeup.queue for wakeup in tasks._not_there_yet(wakeups)]


def test_what_hangs_there_unheard_is_not_rung_again() -> None:
    enqueue([Wakeup(queue="speech")] * 3)
    assert needed(*["speech"] * 5, "vision") == ["speech", "speech", "vision"]
    enqueue([Wakeup(queue="speech")] * 4)
    assert needed(*["speech"] * 5) == []


def test_what_else_waits_is_no_wakeup_of_a_stage() -> None:
    """A sweep finds others of the clock beside it: a lost wakeup would never have been replaced."""
    for name in {each["task"] for each in beat_schedule(5).values()}:
        app.send_task(name)
    for send in (enqueue_dry_run, enqueue_export, enqueue_import):
        send(uuid4())
    enqueue_recording(Recording())
    for queue in STAGE_QUEUES:
        assert needed(queue) == [queue]


def test_a_queue_that_the_broker_has_forgotten_is_rung_for() -> None:
    assert needed("media_long", "media_long") == ["media_long", "media_long"]


def test_without_a_broker_everything_would_be_rung(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.conf, "broker_url", "redis+socket:///nowhere/valkey.sock")
    assert needed("speech") == ["speech"]
