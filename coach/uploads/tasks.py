"""Celery task of uploads."""

from __future__ import annotations

from celery import shared_task

from coach.uploads.services import close_abandoned_uploads


@shared_task(name="coach.uploads.tasks.sweep")
def sweep() -> None:
    """Keep what interrupted uploads had received."""
    close_abandoned_uploads()
