"""Celery's shells of the studio, where Celery looks for them."""

from __future__ import annotations

from celery import shared_task

from coach.curation.dry_runs.tasks import run_batch, sweep
from coach.curation.statistics.cached import keep_statistics

__all__ = ["count", "run_batch", "sweep"]


@shared_task(name="coach.curation.tasks.count")
def count() -> None:
    """Count what became of the rules, where there is too much to count for each page."""
    keep_statistics()
