"""Erasing a person: what each app says is to be erased, in the order of need."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction

from coach.accounts.models import User
from coach.accounts.selectors import hold_words
from coach.audit.services import record_act
from coach.portal.personal_data import PERSONAL_DATA


@transaction.atomic
def erase_person(*, user: User, actor: User | None = None) -> None:
    """Delete a person with their recordings and everything made from them.

    Raises ValidationError where a hold forbids it. The entry says when and, where it was an
    administrator, by whom. It never names the research pseudonym: earlier exports could be tied to
    the moment.
    """
    obstacle = hold_words(user)
    if obstacle:
        raise ValidationError(obstacle)
    for app in PERSONAL_DATA:
        app.erase(user)
    by_another = actor if actor and actor.pk != user.pk else None
    record_act(action="accounts.erased", target=user, actor=by_another)
    user.delete()
