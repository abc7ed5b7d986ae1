"""Celery task of the API."""

from __future__ import annotations

from celery import shared_task

from coach.api.services import forget_answers


@shared_task(name="coach.api.tasks.forget")
def forget() -> None:
    """Delete old answers to requests that might have been repeated."""
    forget_answers()
