"""Celery tasks of accounts."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone


@shared_task(name="coach.accounts.tasks.clear_sessions")
def clear_sessions() -> None:
    """Delete expired sessions."""
    call_command("clearsessions")


@shared_task(name="coach.accounts.tasks.clear_counters")
def clear_counters() -> None:
    """Delete expired rate limit counters, which the database cache would keep."""
    table = connection.ops.quote_name(str(settings.CACHES["default"]["LOCATION"]))
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE expires < %s", [timezone.now()])  # noqa: S608
