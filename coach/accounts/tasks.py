"""Celery's shells of this app."""

from __future__ import annotations

from celery import shared_task
from django.core.management import call_command


@shared_task(name="coach.accounts.tasks.clear_sessions")
def clear_sessions() -> None:
    """Forget sign-ins that have ended."""
    call_command("clearsessions")
