"""Limits of a trial: one short recording of a visitor without an account."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings

from coach.accounts.models import User

TRIAL_LENGTH = timedelta(hours=24)
TRIAL_MINUTES = 2
TRIAL_BYTES = 200 * 1024**2
"""All recordings of a trial together: the recorder sends about 40 MB in two minutes, and a visitor
may speak several times before using one (rule of thumb)."""
SPARE_SECONDS = 5
"""Length that a trial may exceed, since the recorder stops with its last piece (rule of thumb)."""


def most_minutes(user: User) -> int:
    """Return the maximum length of a person's recordings in minutes."""
    return min(TRIAL_MINUTES, settings.MAX_MINUTES) if user.is_trial else settings.MAX_MINUTES


def most_seconds(user: User) -> int:
    """Return the length in seconds up to which a person's recordings are analysed."""
    return 60 * most_minutes(user) + (SPARE_SECONDS if user.is_trial else 0)


def most_bytes(user: User) -> int:
    """Return the maximum size of all of a person's recordings together."""
    most: int = settings.MOST_BYTES_OF_A_PERSON
    return min(TRIAL_BYTES, most) if user.is_trial else most
