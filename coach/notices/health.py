"""Whether mails leave."""

from __future__ import annotations

from django.db import DatabaseError

from coach.lib.web.health import OK
from coach.notices.selectors import waiting_for_relay


def check_mail() -> str:
    """Whether the relay takes what is to be mailed. Nothing is lost without it; mails wait."""
    try:
        waiting = waiting_for_relay()
    except DatabaseError:
        return "is not known"
    return f"{waiting} notices wait for a relay" if waiting else OK
