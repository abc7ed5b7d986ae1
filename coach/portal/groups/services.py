"""Services for groups: settings, invitation codes, and the roll-over to the next term."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from coach.accounts.departments import Department
from coach.accounts.models import Cohort, User
from coach.accounts.people import roll_over_cohort, save_cohort, set_archived
from coach.audit.services import record_act
from coach.portal.departments.services import move_group
from coach.portal.models import GroupCode

_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without 0, O, 1, I and L, which look alike on a wall."""
_LENGTH: Final = 8


@transaction.atomic
def save_group(*, cohort: Cohort, department: Department | None, moves: bool, actor: User) -> None:
    """Save a new or changed group, and move it to the department if `moves`."""
    save_cohort(cohort=cohort, actor=actor)
    if moves:
        move_group(cohort=cohort, department=department, actor=actor)


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


@transaction.atomic
def roll_over(*, cohort: Cohort, copy: Cohort, archives: bool, actor: User) -> list[User]:
    """Make a group for the next term with the same policy and coaches, without the trainees.

    Returns the coaches who were left out.
    """
    left_out = roll_over_cohort(cohort=cohort, copy=copy, actor=actor)
    if archives:
        set_archived(cohort=cohort, is_archived=True, actor=actor)
    return left_out


def unsaved_copy(cohort: Cohort) -> Cohort:
    """Return an unsaved group with the same policy, without a name and a term."""
    own = {"id", "name", "starts_on", "ends_on", "archived_at"}
    columns = Cohort._meta.concrete_fields  # noqa: SLF001  # Django's public, underscored API
    fields = [each.attname for each in columns if each.attname not in own]
    return Cohort(**{name: getattr(cohort, name) for name in fields})
