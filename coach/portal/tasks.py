"""Celery's shell for what passes with time."""

from __future__ import annotations

from celery import shared_task

from coach.portal.execution import forget_kept_forms


@shared_task(name="coach.portal.tasks.forget")
def forget() -> None:
    """What was typed and never sent is not kept for longer than the page says."""
    forget_kept_forms()
