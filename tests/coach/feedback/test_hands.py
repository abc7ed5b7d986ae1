"""Who is taken to work, from what was seen of them."""

from __future__ import annotations

import pytest
from django.utils import timezone

from coach.accounts.models import User
from coach.feedback.models import Stage
from coach.feedback.runs.hands import hands_now
from coach.feedback.services import start_run
from coach.lib.queues import ALL_QUEUES, LONG_QUEUES, WORKERS
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


def workers_of(queue: str) -> list[str]:
    found = hands_now([], timezone.now()).queues
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
