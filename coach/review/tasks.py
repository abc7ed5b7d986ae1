"""Celery's shells of this app."""

from __future__ import annotations

from celery import shared_task

from coach.review.second.first_opinions import gather_first_opinions
from coach.review.second.services import tell_of_seconds
from coach.review.services import enqueue_sent


@shared_task(name="coach.review.tasks.sweep")
def sweep() -> None:
    """Let what was sent wait in the queue, and tell its coaches, also where none of them looks.

    Once one of them is on a take that two are to judge, the others are told.
    """
    enqueue_sent()
    tell_of_seconds()


@shared_task(name="coach.review.tasks.gather")
def gather() -> None:
    """Write down what first coaches decided, so that agreement is whole where nobody looked yet."""
    gather_first_opinions()
