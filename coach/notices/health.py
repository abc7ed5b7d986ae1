"""Health check of outgoing email."""

from __future__ import annotations

from django.db import DatabaseError

from coach.lib.web.health import OK
from coach.notices.selectors import waiting_for_relay


def check_mail() -> str:
    """Return whether the relay accepts email. If it does not, notifications wait; none is lost."""
    try:
        waiting = waiting_for_relay()
    except DatabaseError:
        return "is not known"
    return f"{waiting} notices wait for a relay" if waiting else OK
