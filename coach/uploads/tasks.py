"""The Celery task of uploads."""

from __future__ import annotations

from celery import shared_task

from coach.uploads.services import close_abandoned_uploads


@shared_task(name="coach.uploads.tasks.sweep")
def sweep() -> None:
    """Close abandoned uploads, keeping their received bytes."""
    close_abandoned_uploads()
