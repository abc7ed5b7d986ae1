"""Erasing a person: an explicit tuple of each app's eraser, in the order of need."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.curation import services as curation
from coach.feedback.models import Verdict
from coach.rehearsals import services as rehearsals


def _forget_name_in_verdicts(user: User) -> int:
    """A coach's decisions stay with the trainees they were made for, without the coach's name."""
    return Verdict.objects.filter(coach=user).update(coach_name="A former coach", coach=None)


def _forget_in_audit(user: User) -> int:
    """What happened stays on record; who did it goes."""
    return Entry.objects.filter(actor=user).update(actor=None)


ERASERS: tuple[Callable[[User], int], ...] = (
    rehearsals.erase_for,
    _forget_name_in_verdicts,
    curation.erase_for,
    _forget_in_audit,
)


@transaction.atomic
def erase_person(*, user: User) -> None:
    """Delete a person with their recordings and everything made from them."""
    for erase in ERASERS:
        erase(user)
    Entry.objects.create(
        action="accounts.erased", object_type="accounts.user", object_id=str(user.pseudonym)
    )
    user.delete()
