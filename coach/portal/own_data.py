"""A person's own data as one document: what each app hands out of theirs."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.portal.personal_data import PERSONAL_DATA
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for


def own_data(user: User) -> dict[str, Any]:
    """Who they are here, each take with all that is stored about it, and everything they did."""
    document: dict[str, Any] = {}
    for app in PERSONAL_DATA:
        document |= app.export(user)
    document["rehearsals"] = [_take(take) for take in own_rehearsals_for(user)]
    return document


def _take(take: Rehearsal) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for app in PERSONAL_DATA:
        if app.export_take is not None:
            document |= app.export_take(take)
    return document
