"""Service for ending one session of a person."""

from __future__ import annotations

from django.db import transaction

from coach.accounts.models import User
from coach.accounts.sessions.models import DeviceSession
from coach.audit.services import record_act


@transaction.atomic
def end_session(*, session: DeviceSession, actor: User) -> None:
    """Sign the person out of this session."""
    record_act(action="accounts.session_ended", target=session.user, actor=actor)
    session.session.delete()
