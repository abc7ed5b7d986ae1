"""Celery tasks of LTI."""

from __future__ import annotations

from celery import shared_task

from coach.lti.completion import report_progress
from coach.lti.handshake import forget_nonces


@shared_task(name="coach.lti.tasks.report")
def report() -> None:
    """Pass progress back to learning platforms."""
    report_progress()


@shared_task(name="coach.lti.tasks.forget")
def forget() -> None:
    """Delete old nonces."""
    forget_nonces()
