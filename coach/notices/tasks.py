"""Celery's shells of this app."""

from __future__ import annotations

from celery import shared_task

from coach.notices import mailing
from coach.notices.services import forget_old


@shared_task(name="coach.notices.tasks.mail")
def mail() -> None:
    """Write to everybody who has something new."""
    mailing.mail_round()


@shared_task(name="coach.notices.tasks.forget")
def forget() -> None:
    """What is over for long is forgotten."""
    forget_old()
