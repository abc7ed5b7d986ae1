"""Celery tasks of spoken replies."""

from __future__ import annotations

import uuid

from celery import shared_task

from coach.lib.work.wakeups import wake_workers
from coach.review.spoken import execution
from coach.review.spoken.models import SpokenReply

_HANGING_SECONDS = round(execution.LIMIT_SECONDS) + 120


def enqueue(reply: SpokenReply) -> None:
    """Enqueue the processing of a reply."""
    wake_workers(process_reply, str(reply.pk), time_limit=_HANGING_SECONDS)


@shared_task(name="coach.review.spoken.tasks.process_reply")
def process_reply(key: str) -> None:
    """Make the copy and the captions of one reply."""
    execution.execute_reply(uuid.UUID(key))


def sweep_replies() -> None:
    """Enqueue replies again that a dead worker or a lost message left behind."""
    for reply in execution.stale():
        enqueue(reply)
