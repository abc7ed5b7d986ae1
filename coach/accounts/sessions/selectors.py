"""Queries about a person's sessions."""

from __future__ import annotations

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from coach.accounts.models import User
from coach.accounts.sessions.models import DeviceSession


def device_sessions_for(user: User) -> list[DeviceSession]:
    """Return the sessions in which this person is signed in, the last used first.

    A session whose password or sign-in round is outdated lets nobody in, although its row exists.
    """
    rows = DeviceSession.objects.filter(
        user=user, session__expire_date__gt=timezone.now()
    ).select_related("session")
    valid = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return [row for row in rows if _lets_in(row, user, valid)]


def _lets_in(row: DeviceSession, user: User, valid: list[str]) -> bool:
    said = row.session.get_decoded()
    shown = str(said.get(HASH_SESSION_KEY, ""))
    is_valid = any(constant_time_compare(shown, each) for each in valid)
    return is_valid and said.get(SESSION_KEY) == str(user.pk)
