"""Celery tasks of the audit log."""

from __future__ import annotations

from celery import shared_task

from coach.audit.services import forget_old


@shared_task(name="coach.audit.tasks.forget")
def forget() -> None:
    """Delete expired log entries."""
    forget_old()
