"""Celery tasks of review."""

from __future__ import annotations

from celery import shared_task

from coach.review.late import tell_of_late
from coach.review.second.first_opinions import gather_first_opinions
from coach.review.second.services import tell_of_seconds
from coach.review.services import enqueue_sent
from coach.review.spoken.tasks import sweep_replies


@shared_task(name="coach.review.tasks.sweep")
def sweep() -> None:
    """Add sent takes to the queue and notify coaches, even if no coach opens it.

    Coaches are notified of late takes, once, and of claimed takes to which they could give a second
    opinion. Spoken replies that a dead worker left behind are enqueued again.
    """
    enqueue_sent()
    tell_of_late()
    tell_of_seconds()
    sweep_replies()


@shared_task(name="coach.review.tasks.gather")
def gather() -> None:
    """Store first coaches' decisions, so that agreement is complete before anybody opens it."""
    gather_first_opinions()
