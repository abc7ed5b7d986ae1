"""How long a run will take: learned costs, and the work that goes first under fair queueing."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from analysis.plan import DEFAULT_COSTS, Shape, plan_for
from coach.accounts.models import Cohort, User
from coach.feedback.models import Run, Stage, StageCost
from coach.feedback.pages.analysing import analysing_page
from coach.feedback.runs.core_allocation import contention, cores_for
from coach.feedback.runs.costs import StageUsage, learn, learned_costs
from coach.feedback.runs.cpu_contention import CpuDemand, slowness
from coach.feedback.runs.estimates import estimate, forget_queues
from coach.feedback.runs.fair_queue import shape_for
from coach.feedback.runs.lengths import usual_bytes_per_second
from coach.feedback.runs.stage_leases import acquire, queue_ready
from coach.feedback.services import start_run
from coach.lib.work.lease_holders import this_process
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, UserFactory
from tests.coach.feedback.in_line import begun, seconds_left, stages, started

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("two_idle_cores")]

READER = {"engine": settings.SPEECH_ENGINE, "reader": settings.WHISPER_SIZE}


def spend(stage: str, seconds: float, *, rate: float, stretch: float = 1.0, **known: Any) -> None:
    """One recording of that length costs so much."""
    shape = Shape(seconds=seconds, speech=seconds, **READER, **known)
    work = rate * seconds
    learn(
        StageUsage(
            stage=stage, shape=shape, cores=1, processor_seconds=work, seconds=stretch * work
        )
    )


def test_a_fresh_installation_knows_the_figures_of_ours(trainee: User) -> None:
    run = started(trainee)
    planned = plan_for(Shape(seconds=180.0, **READER), machine_cores=2)
    assert seconds_left(run) == pytest.approx(
        planned.seconds - planned.stages["prepare"].seconds, rel=0.15
    )


def test_what_it_costs_is_learned_from_runs_that_ended() -> None:
    shape = Shape(seconds=300.0)
    before = learned_costs().get(("watch", "picture"))
    assert before is None
    dice = random.Random(5)  # noqa: S311
    for _run in range(40):
        spend("watch", dice.uniform(40, 1200), rate=0.5 * dice.uniform(0.9, 1.1))
    learned = learned_costs()["watch", "picture"].processor_seconds(shape.amount("watch"))
    assert learned == pytest.approx(150, rel=0.1)


def test_one_odd_run_does_not_turn_everything_over() -> None:
    default = DEFAULT_COSTS["watch", ""].processor_seconds(300)
    for _run in range(20):
        spend("watch", 300, rate=0.16)
    spend("watch", 300, rate=3.0)
    learned = learned_costs()["watch", "picture"].processor_seconds(300)
    assert default < learned < 3 * default


def test_kinds_are_learned_apart_and_what_was_not_there_teaches_nothing() -> None:
    spend("watch", 200, rate=0.9, pixels=1920 * 1080)
    assert set(learned_costs()) == {("watch", "large")}
    spend("watch", 200, rate=0.9, has_picture=False)
    spend("transcribe", 200, rate=0.0)
    assert set(learned_costs()) == {("watch", "large")}


def test_a_busy_machine_stretches_the_time_and_not_the_work() -> None:
    for _run in range(20):
        spend("listen", 200, rate=0.1, stretch=3.0)
    cost = learned_costs()["listen", ""]
    assert cost.stretch == pytest.approx(3.0, rel=0.1)
    assert cost.processor_seconds(200) == pytest.approx(20, rel=0.1)


def test_what_is_read_for_an_estimate_does_not_grow_with_the_takes(
    trainee: User, cohort: Cohort, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked for every two seconds by everybody who waits."""
    monkeypatch.setattr("coach.feedback.runs.estimates._LOOK_SECONDS", 1e12)  # never a new read
    run = started(trainee, cohort=cohort)
    client = sign_in(trainee)
    url = reverse("feedback:analysing_now", args=[run.rehearsal_id])
    client.get(url)
    forget_queues()
    with CaptureQueriesContext(connection) as few:
        client.get(url)
    for _take in range(12):
        started(UserFactory())
    for _run in range(30):
        spend("watch", 200, rate=0.2)
    forget_queues()
    with CaptureQueriesContext(connection) as many:
        client.get(url)
    assert len(many) <= len(few)
    assert StageCost.objects.count() == 1
    with CaptureQueriesContext(connection) as again:  # the next one who asks shares the line
        client.get(url)
    assert len(again) < len(many)


def test_siblings_of_a_run_slow_each_other_down_in_what_is_learned_too(trainee: User) -> None:
    """Else a sound alone would be told the pace of one that was watched at the same time."""
    run = started(trainee)
    begun(run, "watch", seconds_ago=40, progress=0.5)
    run.stages.filter(name="watch").update(cores=2)
    begun(run, "transcribe", seconds_ago=20, progress=0.5)
    both = [CpuDemand.of("transcribe", "speech", 1), CpuDemand.of("watch", "vision", 2)]
    first, second = slowness(both, 2)
    assert contention(run.stages.get(name="transcribe")) == pytest.approx(first, abs=0.01)
    half = (1 + second) / 2  # it ran alone as long
    assert contention(run.stages.get(name="watch")) == pytest.approx(half, abs=0.01)


def test_work_of_others_that_is_due_first_is_waited_for(trainee: User) -> None:
    alone = seconds_left(started(trainee))
    for _person in range(6):
        started(UserFactory(), 150.0)
    late = started(UserFactory())
    forget_queues()
    found = estimate(late, stages(late))
    one = late.stages.get(name="watch").expected_seconds
    assert found.waiting > 3 * one
    assert found.least == pytest.approx(found.waiting + alone, rel=0.3)
    assert found.most > found.least


def test_a_short_take_waits_less_than_the_long_ones_that_came_before(trainee: User) -> None:
    for _person in range(4):
        started(UserFactory(), 1500.0)
    short, long = started(trainee, 60.0), started(UserFactory(), 1500.0)
    assert seconds_left(short) < seconds_left(long) / 4


def test_the_twentieth_take_of_one_person_waits_for_the_nineteen_before(trainee: User) -> None:
    runs = [started(trainee) for _take in range(20)]
    alone = seconds_left(runs[0])
    last = estimate(runs[-1], stages(runs[-1]))
    assert {stage.state for stage in stages(runs[-1])} == {"done", "waiting"}
    assert last.waiting > 10 * alone
    # Takes of somebody else may pass, as fair queueing lets them; what is left is in both times.
    other = started(UserFactory(), 900.0)
    forget_queues()
    crowded = estimate(runs[-1], stages(runs[-1]))
    assert crowded.least >= last.least
    assert crowded.most > last.most
    assert seconds_left(other) < crowded.least


def test_another_persons_twenty_takes_delay_a_single_one_by_a_few(trainee: User) -> None:
    for _take in range(20):
        started(trainee)
    single = started(UserFactory())
    forget_queues()
    found = estimate(single, stages(single))
    whole = sum(stage.expected_seconds for stage in Stage.objects.filter(state="queued"))
    assert found.most < seconds_left(Run.objects.order_by("created_at")[19]) / 3
    assert found.most < whole


def test_more_workers_make_the_wait_shorter(trainee: User) -> None:
    for _person in range(6):
        started(UserFactory())
    run = started(trainee)
    acquire(Stage.objects.filter(name="watch").earliest("due_at").pk)
    Stage.objects.filter(state="running", name="watch").update(holder="machine 1 1")
    one = seconds_left(run)
    acquire(Stage.objects.filter(name="watch", state="queued").earliest("due_at").pk)
    Stage.objects.filter(state="running", name="watch", holder__contains="pytest").update(
        holder="another 1 1"
    )
    Stage.objects.filter(state="running").exclude(holder="machine 1 1").update(holder="another 1 1")
    assert seconds_left(run) < one


def with_a_copy_to_make(owner: User, *, is_encoded: bool = True, is_done: bool = False) -> Run:
    """Opened by somebody who found that browsers do not play it."""
    run = started(owner, 400.0)
    shape = Shape(seconds=400.0, speech=300.0, encodes_copy=is_encoded, **READER)
    run.shape = shape.as_document()
    run.save()
    run.stages.filter(name="playback").update(state="waiting")
    queue_ready(run)
    if is_done:
        run.stages.exclude(name="playback").update(state="done")
        Run.objects.filter(pk=run.pk).update(state="done", finished_at=timezone.now())
    return run


@pytest.mark.parametrize("is_done", [False, True])
def test_copies_that_wait_take_time_of_those_who_open_and_listen(
    trainee: User, *, is_done: bool
) -> None:
    """Also where the draft that they belong to is there already."""
    run = started(trainee, 60.0)
    run.stages.filter(name="transcribe").update(state="done")
    run.stages.filter(name="watch").update(state="done")
    alone = seconds_left(run)
    copy = with_a_copy_to_make(UserFactory(), is_done=is_done).stages.get(name="playback")
    assert copy.expected_seconds > 10 * alone
    Stage.objects.filter(pk=copy.pk).update(due_at=timezone.now())
    assert seconds_left(run) > copy.expected_seconds
    Stage.objects.filter(pk=copy.pk).update(state="skipped")
    assert seconds_left(run) < copy.expected_seconds / 10


def test_a_picture_that_is_only_copied_delays_nobody(trainee: User) -> None:
    """As browsers' own recordings are: told like encoding, an opened take seemed to need longer."""
    run = started(trainee, 60.0)
    run.stages.filter(name__in=("transcribe", "watch")).update(state="done")
    alone = seconds_left(run)
    with_a_copy_to_make(UserFactory(), is_encoded=False, is_done=True)
    Stage.objects.filter(name="playback").update(due_at=timezone.now())
    assert seconds_left(run) < alone + 1


def test_a_run_that_failed_is_looked_up_in_no_line(trainee: User) -> None:
    """It stands in none, and would be looked for anew as long as it is young."""
    run = started(trainee)
    seconds_left(started(UserFactory()))
    run.state, run.error_code, run.problem = Run.State.FAILED, "E151", {"code": "gave_up"}
    run.save()
    of_it = stages(run)
    with CaptureQueriesContext(connection) as asked:
        found = estimate(run, of_it)
    assert len(asked) == 1  # what stages cost here
    assert found.most == 0
    assert found.weights


def test_a_size_is_a_length_as_recordings_of_its_kind_were_here(trainee: User) -> None:
    """Nobody has opened it yet: a phone's minute has ten times the bytes of another's."""
    for name, size, seconds in (("a.MP4", 12e6, 60), ("b.mp4", 26e6, 120), ("c.wav", 4e6, 40)):
        started(trainee, seconds, original_name=name, size_bytes=int(size))
    usual = usual_bytes_per_second()
    assert usual == pytest.approx({".mp4": (12e6 / 60 + 26e6 / 120) / 2, ".wav": 1e5})

    def shape(name: str) -> Shape:
        take = RehearsalFactory(duration=None, has_video=None, original_name=name, size_bytes=10**7)
        return shape_for(start_run(rehearsal=take, actor=take.owner))

    assert shape("talk.mp4").seconds == pytest.approx(10**7 / usual[".mp4"])
    assert shape("talk.mp4").has_picture
    assert shape("talk.WAV").seconds == pytest.approx(100)
    assert not shape("talk.WAV").has_picture
    assert shape("talk.mp3").seconds == pytest.approx(10**7 / 32_000)
    assert shape("talk.webm").seconds == pytest.approx(40)


def test_what_is_guessed_from_a_size_is_no_promise(trainee: User) -> None:
    """Else the page would say later that a stage takes longer than usual, which is untrue."""
    take = RehearsalFactory(owner=trainee, duration=None, has_video=None)
    run = start_run(rehearsal=take, actor=trainee)
    page = analysing_page(take, run)
    assert page.estimate
    assert page.said == ""
    begun(run, "prepare", seconds_ago=1, progress=0.5)
    run = Run.objects.get(pk=run.pk)
    assert analysing_page(take, run).estimate == ""
    take.duration = 90.0
    page = analysing_page(take, run)
    assert page.estimate
    assert page.said


def test_a_worker_that_was_killed_is_nobody_who_works(trainee: User) -> None:
    for _person in range(4):
        started(UserFactory())
    run = started(trainee)
    one = seconds_left(run)
    dead = f"{this_process().rpartition(' ')[0]} 1"
    Stage.objects.filter(name="prepare").update(holder=dead, queue="vision")
    assert seconds_left(run) == pytest.approx(one, rel=0.05)
    begun(Run.objects.earliest("created_at"), "watch", seconds_ago=5, progress=0.5)
    Stage.objects.filter(name="watch", state="running").update(holder=dead)
    assert seconds_left(run) == pytest.approx(one, rel=0.05)


def test_the_pace_of_this_very_recording_counts_more_the_further_it_is(trainee: User) -> None:
    """A talk without a face for minutes is watched faster, or slower, than others."""
    run = started(trainee)
    for name in ("transcribe", "listen"):
        run.stages.filter(name=name).update(state="done")
    begun(run, "watch", seconds_ago=9.0, progress=0.9)
    assert seconds_left(run) < 4.0
    for _run in range(20):  # stages before it met other work: half an hour is usual
        spend("watch", 180, rate=0.5, stretch=20.0)
    run.stages.filter(name="watch").update(
        started_at=timezone.now() - timedelta(seconds=100), progress=0.4
    )
    assert 150 < seconds_left(run) < 2.5 * 150


def test_a_stage_gets_the_cores_that_nobody_else_here_holds(trainee: User, stranger: User) -> None:
    """With this engine watching is the longest path, so idle cores are for it."""
    for _run in range(40):
        spend("transcribe", 180, rate=0.02)
    with override_settings(CORES=8):
        run = started(trainee)
        lease = begun(run, "watch", seconds_ago=0, progress=0)
        stage = Stage.objects.select_related("run__rehearsal").get(pk=str(lease.key))
        assert cores_for(stage, lease) > 2
        stage.refresh_from_db()
        other = begun(started(stranger), "watch", seconds_ago=0, progress=0)
        beside = Stage.objects.select_related("run__rehearsal").get(pk=str(other.key))
        assert cores_for(beside, other) <= max(settings.CORES - stage.cores, 1)
