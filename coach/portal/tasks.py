"""Celery tasks for everything that has a retention period."""

from __future__ import annotations

from celery import shared_task

from coach.drafts.services import delete_expired_drafts
from coach.portal.joining.services import delete_expired_requests
from coach.portal.people.mailing import invitation_round
from coach.portal.personal.retention import remove_all, tell_all
from coach.portal.trial.services import erase_ended_trials


@shared_task(name="coach.portal.tasks.forget")
def forget() -> None:
    """Delete drafts and requests for an account whose time is over."""
    delete_expired_drafts()
    delete_expired_requests()


@shared_task(name="coach.portal.tasks.keep_time")
def keep_time() -> None:
    """Delete data whose owners were warned long enough ago."""
    remove_all()


@shared_task(name="coach.portal.tasks.end_trials")
def end_trials() -> None:
    """Delete visitors' trials that are over, with their recordings."""
    erase_ended_trials()


@shared_task(name="coach.portal.tasks.tell")
def tell() -> None:
    """Warn people of coming deletions; runs in the worker for email."""
    tell_all()


@shared_task(name="coach.portal.tasks.mail_invitations")
def mail_invitations(_list: str = "") -> None:
    """Email the invitations that wait; runs in the worker for email."""
    invitation_round()
