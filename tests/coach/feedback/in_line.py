"""Runs that wait in the queue, and the time they are told."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from coach.accounts.models import User
from coach.feedback.models import Run, Stage
from coach.feedback.runs.estimates import estimate, forget_queues
from coach.feedback.runs.stage_leases import acquire, queue_next, queue_ready
from coach.feedback.services import start_run
from coach.lib.work.leases import Lease
from tests.coach.factories import RehearsalFactory


def started(owner: User, seconds: float = 180.0, **known: Any) -> Run:
    """A run whose measuring waits in line; it plays as it is."""
    run = start_run(rehearsal=RehearsalFactory(owner=owner, duration=seconds, **known), actor=owner)
    run.stages.filter(name="prepare").update(state="done", finished_at=timezone.now())
    run.stages.filter(name="playback").update(state="skipped")
    queue_ready(run)
    queue_next(owner.pk)
    return run


def stages(run: Run) -> list[Stage]:
    return list(run.stages.exclude(name="playback"))


def seconds_left(run: Run) -> float:
    forget_queues()
    return estimate(run, stages(run)).least


def begun(run: Run, name: str, *, seconds_ago: float, progress: float) -> Lease:
    lease = acquire(run.stages.get(name=name).pk)
    assert lease is not None
    at = timezone.now() - timedelta(seconds=seconds_ago)
    run.stages.filter(name=name).update(started_at=at, progress=progress)
    return lease
