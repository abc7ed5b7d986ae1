"""Erasing a person: what each app says is to be erased, in the order of need."""

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
    """Delete a person with all that is theirs, recordings too; the receipt names nobody.

    Raises ValidationError where a hold forbids it, and for the last administrator, who goes only of
    their own accord, in the privacy centre (`actor` is None then). The entry says when and, where
    it was an administrator, by whom. It never names the research pseudonym: earlier exports could
    be tied to the moment.
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
