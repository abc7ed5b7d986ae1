"""Celery's shells of what happens by itself."""

from __future__ import annotations

from celery import shared_task

from coach.rehearsals.custody import reconcile_custody
from coach.rehearsals.uploads import expire_uploads


@shared_task(name="coach.rehearsals.tasks.sweep_custody")
def sweep_custody() -> None:
    """Let uploads go whose time is over; hold the disk and the database against each other."""
    expire_uploads()
    reconcile_custody()
