"""A machine with a wrong clock takes no work too early and loses none: the database's counts."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from coach.feedback.models import Run, Stage
from coach.feedback.pages.analysing import analysing_page
from coach.feedback.runs.estimates import estimate, forget_queues
from coach.feedback.runs.stage_leases import CUSTODY_AWAY, UNTIL_ROOM, acquire, in_line
from coach.feedback.services import start_run
from coach.lib.work import leases
from coach.lib.work.database_clock import database_now
from tests.coach.factories import RehearsalFactory

pytestmark = pytest.mark.django_db

A_MINUTE = timedelta(minutes=1)


@pytest.fixture
def stage() -> Stage:
    """One that is queued."""
    rehearsal = RehearsalFactory()
    run: Run = start_run(rehearsal=rehearsal, actor=rehearsal.owner)
    return run.stages.get(name="prepare")


def set_clock(patch: pytest.MonkeyPatch, off: timedelta) -> None:
    """Let this machine's clock be off by so much."""
    right = timezone.now
    patch.setattr(timezone, "now", lambda: right() + off)


@pytest.mark.parametrize("off", [A_MINUTE, -A_MINUTE])
def test_a_machine_with_a_wrong_clock_takes_nothing_that_is_held(
    stage: Stage, off: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = acquire(stage.pk)
    assert lease is not None
    set_clock(monkeypatch, off)
    assert acquire(stage.pk) is None
    assert leases.acquire_first(Stage.objects.all()) is None
    assert leases.stale_keys(Stage.objects.all()) == []
    assert leases.renew(lease)


@pytest.mark.parametrize("off", [A_MINUTE, -A_MINUTE])
def test_what_a_machine_with_a_wrong_clock_holds_is_held_as_long_as_by_others(
    stage: Stage, off: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        set_clock(patch, off)
        lease = acquire(stage.pk)
        assert lease is not None
        assert leases.renew(lease)
    assert acquire(stage.pk) is None
    stage.refresh_from_db()
    assert stage.lease_until is not None
    left = stage.lease_until - timezone.now()
    assert timedelta() < left <= timedelta(seconds=settings.STAGE_LEASE_SECONDS + 1)


def test_what_ran_out_is_taken_over_whatever_the_clock_says(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert acquire(stage.pk) is not None
    past = timezone.now() - timedelta(seconds=1)
    Stage.objects.filter(pk=stage.pk).update(lease_until=past)
    set_clock(monkeypatch, -A_MINUTE)
    assert leases.stale_keys(Stage.objects.all()) == [stage.pk]
    assert leases.stale_keys(Stage.objects.all()) == []
    assert acquire(stage.pk) is not None


@pytest.mark.parametrize("off", [A_MINUTE, -A_MINUTE])
def test_pages_say_of_workers_what_is_so_whatever_the_clock_says(
    stage: Stage, off: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert acquire(stage.pk) is not None
    set_clock(monkeypatch, off)

    other = start_run(rehearsal=RehearsalFactory(), actor=stage.run.rehearsal.owner)

    def told() -> tuple[str, bool]:
        forget_queues()
        page = analysing_page(stage.run.rehearsal, stage.run)
        row = next(each for each in page.stages if each.name == stage.name)
        return row.state_words, estimate(other, list(other.stages.all())).is_worked_on

    assert told() == ("In progress", True)
    fell_silent = database_now() - timedelta(seconds=1)
    Stage.objects.filter(pk=stage.pk).update(lease_until=fell_silent)
    assert told() == ("Another worker is taking over", False)


def test_a_clock_that_was_set_back_lets_nothing_wait_for_it(stage: Stage) -> None:
    """What was written down before lies ahead now: neither a wakeup nor a pause is an hour long."""
    an_hour_ahead = database_now() + timedelta(hours=1)
    row = Stage.objects.filter(pk=stage.pk)
    row.update(queued_at=an_hour_ahead, enqueued_again_at=an_hour_ahead)
    assert leases.stale_keys(Stage.objects.all()) == [stage.pk]
    assert leases.stale_keys(Stage.objects.all()) == []
    row.update(problem={"code": CUSTODY_AWAY, "values": {}})
    assert stage in in_line(stage.queue)
    # A pause that somebody asked for is one.
    row.update(queued_at=database_now() + UNTIL_ROOM, enqueued_again_at=None)
    assert stage not in in_line(stage.queue)
    assert leases.stale_keys(Stage.objects.all()) == []
