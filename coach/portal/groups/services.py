"""Services for groups: invitation codes."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from coach.accounts.models import Cohort, User
from coach.audit.services import record_act
from coach.portal.models import GroupCode

_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without 0, O, 1, I and L, which look alike on a wall."""
_LENGTH: Final = 8


@transaction.atomic
def make_code(*, cohort: Cohort, ends_at: datetime, most_uses: int, actor: User) -> GroupCode:
    """Make an invitation code for a group."""
    letters = "".join(secrets.choice(_LETTERS) for _letter in range(_LENGTH))
    made = GroupCode.objects.create(
        cohort=cohort, code=letters, ends_at=ends_at, most_uses=most_uses, made_by=actor
    )
    record_act(action="accounts.code_made", target=cohort, actor=actor)
    return made


@transaction.atomic
def end_code(*, code: GroupCode, actor: User) -> None:
    """End a code at once; people who joined with it stay."""
    if GroupCode.objects.filter(pk=code.pk, ended_at=None).update(ended_at=timezone.now()):
        record_act(action="accounts.code_ended", target=code.cohort, actor=actor)
