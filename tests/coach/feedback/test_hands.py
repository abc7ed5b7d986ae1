"""Who is taken to work, from what was seen of them."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from coach.accounts.models import User
from coach.feedback.models import Stage
from coach.feedback.runs.hands import hands_now
from coach.feedback.services import start_run
from coach.lib.work.queues import ALL_QUEUES, LONG_QUEUES, WORKERS
from tests.coach.factories import RehearsalFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def done(trainee: User) -> list[Stage]:
    """Stages that ended just now; tests say whose they were."""
    run = start_run(rehearsal=RehearsalFactory(owner=trainee, duration=60.0), actor=trainee)
    run.stages.update(state="done", finished_at=timezone.now())
    return list(run.stages.all())


def by(stage: Stage, holder: str, queue: str) -> None:
    Stage.objects.filter(pk=stage.pk).update(holder=holder, queue=queue)


def ago(seconds: float) -> datetime:
    return timezone.now() - timedelta(seconds=seconds)


def spoken(stage: Stage, holder: str, *, queued: float, began: float, ended: float) -> None:
    """By the same clock as `ago`."""
    by(stage, holder, "speech")
    Stage.objects.filter(pk=stage.pk).update(
        state="done",
        queued_at=ago(queued),
        started_at=ago(began),
        finished_at=ago(ended),
        attempts=1,
    )


def in_line(stage: Stage, *, queued: float) -> None:
    by(stage, "", "speech")
    Stage.objects.filter(pk=stage.pk).update(state="queued", queued_at=ago(queued), attempts=0)


def workers_of(queue: str, *begun: Stage) -> list[str]:
    found = hands_now(begun, timezone.now()).queues
    return sorted(worker for worker, queues in found.items() if queue in queues)


def test_nobody_seen_is_one_worker_of_each_kind() -> None:
    for queue in ALL_QUEUES:
        assert len(workers_of(queue)) == (2 if queue in WORKERS["long"] else 1)


def test_processes_without_a_name_are_not_one_worker_of_everything(done: list[Stage]) -> None:
    assert {stage.holder for stage in done} == {""}
    assert workers_of("speech") != workers_of("vision")


def test_whoever_takes_a_queue_and_its_long_one_takes_no_other(done: list[Stage]) -> None:
    """As a machine with a graphics card is started."""
    by(done[0], "gpu m 1 1", "speech")
    by(done[1], "gpu m 1 1", "speech_long")
    assert "gpu m 1 1" in workers_of("speech_long")
    assert "gpu m 1 1" not in workers_of("vision_long")
    assert len(workers_of("vision_long")) == 2


def test_the_other_process_of_a_worker_is_there_too(done: list[Stage]) -> None:
    by(done[0], "here m 7 1", "vision_long")
    for queue in LONG_QUEUES:
        assert workers_of(queue) == ["here m 7 1", "long 1"]


def test_whoever_let_a_lease_run_out_has_died(done: list[Stage]) -> None:
    """Also in another container, of which the kernel tells nothing."""
    spoken(done[0], "there m 1 1", queued=200, began=199, ended=100)
    spoken(done[1], "there m 2 1", queued=200, began=199, ended=100)
    held = done[2]
    held.holder, held.queue, held.state, held.lease = "there m 1 1", "speech", "running", uuid4()
    held.lease_until = ago(-5)
    assert workers_of("speech", held) == ["there m 1 1", "there m 2 1"]
    held.lease_until = ago(1)
    assert workers_of("speech", held) == ["there m 2 1"]


def test_whoever_has_nothing_to_do_and_leaves_work_lying_has_died(done: list[Stage]) -> None:
    spoken(done[0], "there m 1 1", queued=300, began=299, ended=200)
    spoken(done[1], "there m 2 1", queued=300, began=299, ended=5)
    both = ["there m 1 1", "there m 2 1"]
    assert workers_of("speech") == both
    in_line(done[2], queued=10)
    assert workers_of("speech") == both
    in_line(done[2], queued=60)
    assert workers_of("speech") == ["there m 2 1"]
    spoken(done[2], "there m 2 1", queued=60, began=4, ended=1)
    assert workers_of("speech") == ["there m 2 1"]


def test_whoever_does_something_again_is_there_again(done: list[Stage]) -> None:
    spoken(done[0], "there m 1 1", queued=300, began=299, ended=200)
    spoken(done[1], "there m 2 1", queued=150, began=90, ended=80)
    assert workers_of("speech") == ["there m 2 1"]
    spoken(done[2], "there m 1 1", queued=70, began=69, ended=60)
    assert workers_of("speech") == ["there m 1 1", "there m 2 1"]


def test_what_was_begun_twice_did_not_lie_there(done: list[Stage]) -> None:
    """Its first worker had it meanwhile, who is another one."""
    spoken(done[0], "there m 1 1", queued=300, began=299, ended=200)
    spoken(done[1], "there m 2 1", queued=199, began=90, ended=80)
    Stage.objects.filter(pk=done[1].pk).update(attempts=2)
    assert workers_of("speech") == ["there m 1 1", "there m 2 1"]
