"""Celery tasks of webhooks."""

from __future__ import annotations

from celery import shared_task

from coach.webhooks.services import deliver_due, forget_messages


@shared_task(name="coach.webhooks.tasks.deliver")
def deliver() -> None:
    """Send the messages that are due."""
    deliver_due()


@shared_task(name="coach.webhooks.tasks.forget")
def forget() -> None:
    """Delete old messages."""
    forget_messages()
