"""Celery tasks of notifications."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings

from coach.notices import bounces, mailing
from coach.notices.services import forget_old


@shared_task(name="coach.notices.tasks.mail")
def mail() -> None:
    """Email everyone who has new notifications."""
    mailing.mail_round()


@shared_task(name="coach.notices.tasks.read_bounces")
def read_bounces() -> None:
    """Read which emails came back, if the site has a mailbox for them."""
    if settings.BOUNCES_HOST:
        bounces.read_bounces()


@shared_task(name="coach.notices.tasks.forget")
def forget() -> None:
    """Delete old notifications."""
    forget_old()
