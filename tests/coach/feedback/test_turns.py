"""Who comes first: short before long, one's twentieth take after others' first, nobody never."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import override_settings
from django.utils import timezone

from coach.accounts.models import User
from coach.feedback.models import Run, Stage
from coach.feedback.runs.fair_queue import PATIENCE
from coach.feedback.runs.stage_leases import (
    StageEnd,
    acquire_next,
    finish,
    in_line,
    queue_next,
    queue_ready,
)
from coach.feedback.services import start_run
from coach.lib.work.leases import Lease
from tests.coach.factories import RehearsalFactory, UserFactory

pytestmark = pytest.mark.django_db

MINUTE = 60.0


def begin(owner: User, minutes: float) -> Run:
    """A take that is prepared, so that its measuring waits in line."""
    take = RehearsalFactory(owner=owner, duration=minutes * MINUTE)
    run = start_run(rehearsal=take, actor=owner)
    prepared(run)
    return run


def prepared(run: Run) -> None:
    """What a worker that prepared it leaves."""
    run.stages.filter(name="prepare").update(state="done", lease=None, finished_at=timezone.now())
    with transaction.atomic():
        queue_ready(run)
        queue_next(run.rehearsal.owner_id)


def next_in(queue: str) -> tuple[Stage, Lease]:
    lease = acquire_next(queue)
    assert lease is not None
    return Stage.objects.select_related("run__rehearsal").get(pk=str(lease.key)), lease


def work(queue: str) -> Run:
    """Do what is next in a queue, and queue what may follow; whose it was."""
    stage, lease = next_in(queue)
    finish(lease, StageEnd(state=Stage.State.DONE))
    queue_ready(stage.run)
    queue_next(stage.run.rehearsal.owner_id)
    return stage.run


def let_pass(minutes: float) -> None:
    """As if so much time had gone by for everything that stands in line."""
    for stage in Stage.objects.exclude(due_at=None):
        stage.due_at -= timedelta(minutes=minutes)
        stage.queued_at -= timedelta(minutes=minutes)
        stage.save()


def test_a_short_talk_goes_before_a_longer_one_that_came_first(
    trainee: User, stranger: User
) -> None:
    longer, shorter = begin(trainee, 10), begin(stranger, 3)
    assert [work("speech"), work("speech")] == [shorter, longer]


def test_the_longer_one_is_not_overtaken_for_ever(trainee: User, stranger: User) -> None:
    longer = begin(trainee, 10)
    expected = longer.stages.get(name="transcribe").expected_seconds
    let_pass(PATIENCE * expected / MINUTE)
    begin(stranger, 1)
    assert work("speech") == longer


def test_an_hour_waits_apart_and_so_holds_nobody_up(trainee: User, stranger: User) -> None:
    hour = begin(trainee, 60)
    assert hour.stages.get(name="transcribe").queue == "speech_long"
    assert hour.stages.get(name="watch").queue == "vision_long"
    assert acquire_next("speech") is None
    short = begin(stranger, 3)
    assert work("speech") == short
    assert work("speech_long") == hour


def test_what_is_short_on_a_fast_machine_is_not_sent_apart(trainee: User) -> None:
    with override_settings(LONG_STAGE_SECONDS=3600):
        assert begin(trainee, 60).stages.get(name="transcribe").queue == "speech"


def test_twenty_takes_of_one_person_hold_up_nobody_elses_first(trainee: User) -> None:
    many = [begin(trainee, 3) for _take in range(20)]
    assert work("speech") in many
    others = [begin(UserFactory(), 3) for _person in range(5)]
    first = [work("speech") for _turn in range(6)]
    # One of theirs was due before the others came; from then on everybody else is first.
    assert sum(run in many for run in first) <= 1
    assert {run.pk for run in first if run in others} >= {run.pk for run in others[:5]}


def test_all_of_them_come_to_their_end_while_others_keep_coming(trainee: User) -> None:
    many = [begin(trainee, 1) for _take in range(8)]
    left = {run.pk for run in many}
    for _turn in range(60):
        if not left:
            break
        begin(UserFactory(), 1)
        done = work("speech")
        left.discard(done.pk)
        let_pass(0.5)
    assert not left


def test_who_had_many_turns_long_ago_waits_no_longer_than_anybody(
    trainee: User, stranger: User
) -> None:
    for _take in range(3):
        begin(trainee, 3)
        work("speech")
    let_pass(60)
    mine, theirs = begin(trainee, 3), begin(stranger, 3)
    assert [work("speech"), work("speech")] == [mine, theirs]


def test_what_fails_and_is_tried_again_keeps_its_place(trainee: User, stranger: User) -> None:
    first, second = begin(trainee, 3), begin(stranger, 3)
    stage, _lease = next_in("speech")
    assert stage.run == first
    past = timezone.now() - timedelta(seconds=settings.STAGE_LEASE_SECONDS)
    Stage.objects.filter(pk=stage.pk).update(lease_until=past)
    again, _lease = next_in("speech")
    assert (again, again.attempts) == (stage, 2)
    assert next_in("speech")[0].run == second


def test_who_is_next_is_found_without_a_look_at_all_who_wait(trainee: User) -> None:
    run = begin(trainee, 1)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO feedback_stage (run_id, name, position, needs, queue, state, progress, "
            "attempts, queued_at, due_at, expected_seconds, cores, version, problem, holder) "
            "SELECT %s, 'extra' || n, 1, '{}', 'speech', CASE WHEN n > 9000 THEN 'queued' ELSE "
            "'done' END, 0, 0, now(), now() + (n - 9000) * interval '1 s', 25, 1, '', '{}', '' "
            "FROM generate_series(1, 12000) AS n",
            [run.pk],
        )
        cursor.execute("ANALYZE feedback_stage")
    plan = in_line("speech")[:1].explain()
    assert "stages_in_line" in plan
    assert "Sort" not in plan


@pytest.mark.django_db(transaction=True)
def test_workers_that_ask_at_once_get_a_stage_each_and_none_twice() -> None:
    runs = [begin(UserFactory(), 1) for _person in range(24)]
    start = Barrier(8, timeout=60)

    def worker() -> list[str]:
        start.wait()
        got = []
        try:
            while (lease := acquire_next("speech")) is not None:
                got.append(str(lease.key))
        finally:
            connection.close()
        return got

    with ThreadPoolExecutor(8) as pool:
        found = [key for keys in pool.map(lambda _each: worker(), range(8)) for key in keys]
    assert len(found) == len(set(found)) == len(runs)
    assert set(Stage.objects.filter(name="transcribe").values_list("attempts", flat=True)) == {1}


@pytest.mark.django_db(transaction=True)
def test_a_stage_that_somebody_holds_for_a_moment_is_waited_for(trainee: User) -> None:
    """Whoever ends a stage holds the others of its run; the wakeup for one of them may be early."""
    run = begin(trainee, 1)
    held, let_go = Barrier(2, timeout=60), Barrier(2, timeout=60)

    def hold() -> None:
        try:
            with transaction.atomic():
                list(Stage.objects.select_for_update().filter(run=run))
                held.wait()
                let_go.wait(timeout=30)
        finally:
            connection.close()

    def acquire_one() -> Lease | None:
        try:
            return acquire_next("speech")
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        holding = pool.submit(hold)
        held.wait()
        acquiring = pool.submit(acquire_one)
        with pytest.raises(TimeoutError):
            acquiring.result(timeout=0.5)
        let_go.wait()
        holding.result(timeout=30)
        assert acquiring.result(timeout=30) is not None


@pytest.mark.django_db(transaction=True)
def test_a_stage_that_two_wait_for_is_given_to_one(trainee: User) -> None:
    """Both found it free before a third let go of its row; only one may have it."""
    run = begin(trainee, 1)
    held, let_go = Barrier(2, timeout=60), Barrier(2, timeout=60)

    def hold() -> None:
        try:
            with transaction.atomic():
                list(Stage.objects.select_for_update().filter(run=run))
                held.wait()
                let_go.wait(timeout=30)
        finally:
            connection.close()

    def acquire_one() -> Lease | None:
        try:
            return acquire_next("speech")
        finally:
            connection.close()

    with ThreadPoolExecutor(5) as pool:
        holding = pool.submit(hold)
        held.wait()
        acquiring = [pool.submit(acquire_one) for _worker in range(4)]
        time.sleep(0.5)  # until all of them wait
        let_go.wait()
        holding.result(timeout=30)
        got = [each.result(timeout=30) for each in acquiring]
    assert sum(each is not None for each in got) == 1
