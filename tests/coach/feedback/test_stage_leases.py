"""Stages are held by one worker at a time, and finished once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from analysis.pipeline import STAGES
from analysis.results import Note
from coach.feedback.models import Run, Stage
from coach.feedback.runs.plan import BY_NAME, PLAN, StagePlan, longest_limit, time_limit
from coach.feedback.runs.stage_leases import (
    StageEnd,
    Wakeup,
    acquire,
    finish,
    queue_ready,
    report_progress,
    stale,
)
from coach.feedback.services import start_run
from coach.feedback.tasks import GRACE_SECONDS
from coach.lib.work import leases
from coach.lib.work.leases import LeaseLost, renew
from coach.lib.work.queues import ALL_QUEUES, QUEUES, WORKERS
from tests.coach.factories import RehearsalFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    """A run whose first stage is queued."""
    rehearsal = RehearsalFactory()
    return start_run(rehearsal=rehearsal, actor=rehearsal.owner)


def stage(run: Run, name: str) -> Stage:
    return run.stages.get(name=name)


def done(run: Run, name: str) -> None:
    lease = acquire(stage(run, name).pk)
    assert lease is not None
    finish(lease, StageEnd(state=Stage.State.DONE))


def let_the_lease_run_out(run: Run, name: str) -> None:
    past = timezone.now() - timedelta(seconds=1)
    run.stages.filter(name=name).update(lease_until=past)


def test_a_run_starts_with_its_first_stage_queued_and_the_others_waiting(run: Run) -> None:
    states = {each.name: each.state for each in run.stages.all()}
    assert states.pop("prepare") == "queued"
    assert set(states.values()) == {"waiting"}
    assert len(states) == len(PLAN) - 1


def test_a_queued_stage_is_leased_once(run: Run) -> None:
    assert acquire(stage(run, "prepare").pk) is not None
    assert acquire(stage(run, "prepare").pk) is None


def test_a_waiting_stage_cannot_be_leased(run: Run) -> None:
    assert acquire(stage(run, "watch").pk) is None


def test_a_stage_whose_lease_ran_out_is_taken_over_and_the_first_worker_can_no_longer_write(
    run: Run,
) -> None:
    first = acquire(stage(run, "prepare").pk)
    assert first is not None
    let_the_lease_run_out(run, "prepare")
    second = acquire(stage(run, "prepare").pk)
    assert second is not None
    assert not renew(first)
    with pytest.raises(LeaseLost):
        report_progress(first, 0.5)
    with pytest.raises(LeaseLost):
        finish(first, StageEnd(state=Stage.State.DONE))
    finish(second, StageEnd(state=Stage.State.DONE))
    assert stage(run, "prepare").attempts == 2


def test_a_finished_stage_is_never_leased_again(run: Run) -> None:
    done(run, "prepare")
    assert acquire(stage(run, "prepare").pk) is None


def test_progress_is_kept_within_0_and_1(run: Run) -> None:
    lease = acquire(stage(run, "prepare").pk)
    assert lease is not None
    report_progress(lease, 7.5)
    assert stage(run, "prepare").progress == 1


def test_finishing_a_stage_makes_those_ready_that_need_only_it(run: Run) -> None:
    done(run, "prepare")
    wakeups = queue_ready(run)
    queued = set(run.stages.filter(state="queued").values_list("name", flat=True))
    assert queued == {"transcribe", "listen", "watch", "playback"}
    assert {wakeup.queue for wakeup in wakeups} == {"speech", "media", "vision"}
    assert queue_ready(run) == []


def test_a_stage_that_failed_does_not_hold_up_what_needs_it(run: Run) -> None:
    done(run, "prepare")
    queue_ready(run)
    for name in ("transcribe", "listen"):
        done(run, name)
    lease = acquire(stage(run, "watch").pk)
    assert lease is not None
    finish(lease, StageEnd(state=Stage.State.FAILED, problem=Note.of("gave_up")))
    queue_ready(run)
    assert stage(run, "assemble").state == "queued"


def test_the_sweeper_rings_for_what_a_lost_broker_or_a_dead_worker_left(run: Run) -> None:
    assert stale() == []
    run.stages.filter(name="prepare").update(queued_at=timezone.now() - timedelta(hours=1))
    assert stale() == [Wakeup(queue="media")]
    assert stale() == []
    assert acquire(stage(run, "prepare").pk) is not None
    assert stale() == []
    let_the_lease_run_out(run, "prepare")
    assert stale() == [Wakeup(queue="media")]


def test_nothing_of_a_failed_run_is_done_any_more(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(
        state="failed", problem={"code": "in_words", "values": {"words": "It ended."}}
    )
    assert acquire(stage(run, "prepare").pk) is None
    run.stages.update(queued_at=timezone.now() - timedelta(hours=1))
    assert stale() == []


def test_both_plans_of_the_stages_say_the_same_about_what_each_needs() -> None:
    analysed = {stage.name: stage.needs for stage in STAGES}
    assert {name: BY_NAME[name].needs for name in analysed} == analysed


def test_no_message_is_delivered_again_while_the_longest_stage_still_works() -> None:
    visible = settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"]
    assert longest_limit() + 2 * GRACE_SECONDS < visible


@pytest.mark.parametrize("plan", PLAN, ids=lambda plan: plan.name)
def test_a_stage_may_take_many_times_its_usual_time_and_not_for_ever(plan: StagePlan) -> None:
    assert time_limit(plan.name, 24.0) >= 300
    assert time_limit(plan.name, 3600.0) >= 19 * 3600 * plan.usual_ratio
    assert time_limit(plan.name, None) == time_limit(plan.name, settings.MAX_MINUTES * 60)


def test_every_stage_goes_to_a_queue_that_has_workers_and_none_stands_idle() -> None:
    assert {plan.queue for plan in PLAN} == set(QUEUES)
    assert sorted(queue for queues in WORKERS.values() for queue in queues) == sorted(ALL_QUEUES)


def test_what_another_machine_left_is_taken_over_within_half_a_minute() -> None:
    """Where no kernel can tell that the holder is gone: the lease, one sweep, a renewal's time."""
    doubt = leases.BEATS_OF_DOUBT * leases.beat_seconds()
    assert settings.STAGE_LEASE_SECONDS + settings.SWEEP_SECONDS + doubt <= 30
    assert leases.beat_seconds() * 3 < settings.STAGE_LEASE_SECONDS
