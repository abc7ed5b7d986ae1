"""Erasure of a person across all apps, in the order of their dependencies."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction

from coach.accounts.models import User
from coach.accounts.people import keep_an_administrator
from coach.accounts.selectors import hold_words
from coach.audit.services import record_act
from coach.lib.cascade import rows_left
from coach.portal.models import Receipt
from coach.portal.personal.personal_data import PERSONAL_DATA
from coach.portal.receipts.services import draft_of, write_receipt
from coach.research.studies.locks import hold_studies_of


@transaction.atomic
def erase_person(*, user: User, actor: User | None = None) -> Receipt:
    """Delete a person with all their data and recordings; return a receipt without a name.

    Raises ValidationError if a hold prevents it, and for the last administrator, who can only
    delete their own account in the privacy centre (`actor` is None then). The log entry says when
    and, for an administrator, by whom. It never names the research pseudonym: earlier exports could
    be linked to the moment.
    """
    hold_studies_of(user)
    if actor is not None:
        keep_an_administrator(person=user)
    obstacle = hold_words(user)
    if obstacle:
        raise ValidationError(obstacle)
    draft = draft_of(user)
    for app in PERSONAL_DATA:
        app.erase(user)
    by_another = actor if actor and actor.pk != user.pk else None
    record_act(action="accounts.erased", target=user, actor=by_another)
    key = user.pk
    user.delete()
    return write_receipt(draft, left=rows_left(User, [key]))
