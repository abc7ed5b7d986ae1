"""Celery tasks for everything that has a retention period."""

from __future__ import annotations

from celery import shared_task

from coach.drafts.services import delete_expired_drafts
from coach.portal.personal.retention import remove_all, tell_all


@shared_task(name="coach.portal.tasks.forget")
def forget() -> None:
    """Delete drafts whose time is over."""
    delete_expired_drafts()


@shared_task(name="coach.portal.tasks.keep_time")
def keep_time() -> None:
    """Remove what people were told of long enough ago."""
    remove_all()


@shared_task(name="coach.portal.tasks.tell")
def tell() -> None:
    """Tell people what will be removed; the worker for mail does it."""
    tell_all()
