"""Celery's shells of this app."""

from __future__ import annotations

from celery import shared_task

from coach.review.services import enqueue_sent


@shared_task(name="coach.review.tasks.sweep")
def sweep() -> None:
    """Let what was sent wait in the queue, and tell its coaches, also where none of them looks."""
    enqueue_sent()
