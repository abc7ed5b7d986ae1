"""Celery tasks of the portal."""

from __future__ import annotations

from celery import shared_task

from coach.portal.drafts.execution import forget_kept_forms
from coach.portal.personal.retention import remove_all, tell_all


@shared_task(name="coach.portal.tasks.forget")
def forget() -> None:
    """Delete expired drafts and unsent forms."""
    forget_kept_forms()


@shared_task(name="coach.portal.tasks.keep_time")
def keep_time() -> None:
    """Delete data whose owners were warned long enough ago."""
    remove_all()


@shared_task(name="coach.portal.tasks.tell")
def tell() -> None:
    """Warn people of coming deletions; runs in the worker for email."""
    tell_all()
