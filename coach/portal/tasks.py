"""Celery's shell for what passes with time."""

from __future__ import annotations

from celery import shared_task

from coach.portal.drafts.execution import forget_kept_forms
from coach.portal.personal.retention import remove_all, tell_all


@shared_task(name="coach.portal.tasks.forget")
def forget() -> None:
    """What was typed and never sent is not kept for longer than the page says."""
    forget_kept_forms()


@shared_task(name="coach.portal.tasks.keep_time")
def keep_time() -> None:
    """Remove what people were told of long enough ago."""
    remove_all()


@shared_task(name="coach.portal.tasks.tell")
def tell() -> None:
    """Tell people what will be removed; the worker for mail does it."""
    tell_all()
