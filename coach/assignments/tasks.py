"""Celery tasks of assignments."""

from __future__ import annotations

from celery import shared_task

from coach.assignments.reminders import remind_all


@shared_task(name="coach.assignments.tasks.remind")
def remind() -> None:
    """Remind people of assignments that are due soon."""
    remind_all()
