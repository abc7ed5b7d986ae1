"""The Django project: people, rehearsals, runs, feedback, review and research."""

from __future__ import annotations

from coach.celery import app as celery_app

__all__ = ["celery_app"]
