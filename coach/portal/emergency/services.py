"""Services that open a recording to an administrator for an hour, and close it again."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.notices.models import Kind
from coach.notices.services import notify
from coach.rehearsals.models import EmergencyAccess, Rehearsal

LASTS: Final = timedelta(hours=1)
"""How long the recording can be played: enough for the longest talk (rule of thumb)."""


@transaction.atomic
def open_recording(*, rehearsal: Rehearsal, actor: User, reason: str) -> EmergencyAccess:
    """Let the administrator play the recording for an hour; log it, and notify the owner."""
    entry = record_act(
        action="rehearsals.emergency_opened",
        target=rehearsal.owner,
        actor=actor,
        reason=reason,
    )
    access = EmergencyAccess.objects.create(
        rehearsal=rehearsal,
        administrator=actor,
        reason=reason,
        ends_at=timezone.now() + LASTS,
    )
    notify(person=rehearsal.owner, kind=Kind.ACCESS, rehearsal=rehearsal, about=entry)
    return access


@transaction.atomic
def close_recording(*, access: EmergencyAccess, actor: User) -> None:
    """End the access before its hour is over."""
    access.ends_at = timezone.now()
    access.save(update_fields=["ends_at"])
    record_act(action="rehearsals.emergency_closed", target=access.rehearsal.owner, actor=actor)
