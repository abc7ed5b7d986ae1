"""Celery's shells of this app."""

from __future__ import annotations

from celery import shared_task

from coach.audit.services import forget_old


@shared_task(name="coach.audit.tasks.forget")
def forget() -> None:
    """Delete log entries whose time is over."""
    forget_old()
