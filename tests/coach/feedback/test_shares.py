"""Many takes of one person hold nobody else up: each stands in a queue as often as anybody."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import override_settings

from coach.accounts.models import User
from coach.feedback.models import Run, Stage
from coach.feedback.pages.analysing import analysing_page
from coach.feedback.runs.stage_leases import (
    StageEnd,
    Wakeup,
    acquire,
    finish,
    left_waiting,
    queue_next,
    queue_ready,
)
from coach.feedback.services import start_run
from coach.rehearsals.services import delete_rehearsal
from tests.coach.factories import RehearsalFactory

pytestmark = pytest.mark.django_db


def begin(owner: User, takes: int) -> list[Run]:
    made = RehearsalFactory.create_batch(takes, owner=owner)
    return [start_run(rehearsal=take, actor=owner) for take in made]


def queued(owner: User) -> Counter[str]:
    theirs = Stage.objects.filter(run__rehearsal__owner=owner, state=Stage.State.QUEUED)
    return Counter(theirs.values_list("queue", flat=True))


def do(stage: Stage) -> None:
    lease = acquire(stage.pk)
    assert lease is not None
    finish(lease, StageEnd(state=Stage.State.DONE))


def test_of_ten_takes_of_one_person_two_stand_in_the_queue(trainee: User, stranger: User) -> None:
    first, second, third, *_rest = begin(trainee, 10)
    begin(stranger, 1)
    assert queued(trainee) == {"media": 2}
    assert queued(stranger) == {"media": 1}
    do(first.stages.get(name="prepare"))
    queue_ready(first)
    queue_next(trainee.pk)
    # What was begun goes on first: listening stands in the same queue.
    assert queued(trainee) == {"media": 2, "speech": 1, "vision": 1}
    assert third.stages.get(name="prepare").state == Stage.State.WAITING
    assert "Your other takes come first" in analysing_page(third.rehearsal, third).estimate
    assert "Your other takes" not in analysing_page(second.rehearsal, second).estimate


def test_all_of_them_are_done_in_the_end(trainee: User) -> None:
    runs = begin(trainee, 4)
    for _step in range(len(runs) * 7):
        stage = Stage.objects.filter(state=Stage.State.QUEUED).order_by("queued_at").first()
        assert stage is not None
        do(stage)
        queue_ready(stage.run)
        queue_next(trainee.pk)
    assert not Stage.objects.exclude(state=Stage.State.DONE).exists()


def test_a_take_that_is_deleted_or_fails_makes_room_at_the_next_sweep(trainee: User) -> None:
    first, second, third, fourth = begin(trainee, 4)
    delete_rehearsal(rehearsal=first.rehearsal)
    Run.objects.filter(pk=second.pk).update(
        state=Run.State.FAILED, problem={"code": "in_words", "values": {"words": "x"}}
    )
    assert left_waiting() == [Wakeup(queue="media")] * 2
    for run in (third, fourth):
        assert run.stages.get(name="prepare").state == Stage.State.QUEUED
    assert left_waiting() == []


@pytest.mark.django_db(transaction=True)
@override_settings(STAGES_OF_A_PERSON=1)
def test_two_workers_that_end_at_once_queue_one_stage_between_them(trainee: User) -> None:
    begin(trainee, 6)
    Stage.objects.filter(name="prepare").update(state=Stage.State.WAITING)
    start = Barrier(4, timeout=60)

    def end() -> int:
        start.wait()
        try:
            return len(queue_next(trainee.pk))
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(lambda _each: end(), range(4)))
    assert sum(counts) == 1
    assert queued(trainee) == {"media": 1}
