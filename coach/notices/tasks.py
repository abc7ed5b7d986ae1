"""Celery tasks of notifications."""

from __future__ import annotations

from celery import shared_task

from coach.notices import mailing
from coach.notices.services import forget_old


@shared_task(name="coach.notices.tasks.mail")
def mail() -> None:
    """Email everyone who has new notifications."""
    mailing.mail_round()


@shared_task(name="coach.notices.tasks.forget")
def forget() -> None:
    """Delete old notifications."""
    forget_old()
