"""Celery tasks of practice."""

from __future__ import annotations

from celery import shared_task

from coach.practice.plan.services import remind_all
from coach.practice.today.reminders import announce_due


@shared_task(name="coach.practice.tasks.remind")
def remind() -> None:
    """Remind people whose next practice is due."""
    remind_all()


@shared_task(name="coach.practice.tasks.remind_at_hour")
def remind_at_hour() -> None:
    """Remind people to practise at the hour that they chose."""
    announce_due()
