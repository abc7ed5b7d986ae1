"""Celery tasks of the studio, in the module that Celery imports."""

from __future__ import annotations

from celery import shared_task

from coach.curation.dry_runs.tasks import run_batch, sweep
from coach.curation.statistics.cached import keep_statistics

__all__ = ["count", "run_batch", "sweep"]


@shared_task(name="coach.curation.tasks.count")
def count() -> None:
    """Count the rules' statistics if there are too many firings to count on each page."""
    keep_statistics()
