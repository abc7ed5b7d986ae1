"""Export of a person's data as one document, collected from each app."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from coach.accounts.models import User
from coach.portal.personal.personal_data import PERSONAL_DATA
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for

_TAKES_AT_ONCE: Final = 50
"""Without their reports; a rule of thumb."""


def own_data(user: User) -> dict[str, Any]:
    """Return the person's account data, each take with everything stored about it, and
    their activity.
    """
    return _person(user) | {"rehearsals": list(_takes(user))}


def own_data_pieces(user: User) -> Iterator[bytes]:
    """Yield the same document as JSON, one take at a time: each contains its report, and
    there may be hundreds.
    """
    yield f'{_json(_person(user)).removesuffix("}").rstrip()},\n "rehearsals": ['.encode()
    for number, take in enumerate(_takes(user)):
        yield f"{',' if number else ''}\n{_json(take)}".encode()
    yield b"]\n}"


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1, default=str)


def _person(user: User) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for app in PERSONAL_DATA:
        document |= app.export(user)
    return document


def _takes(user: User) -> Iterator[dict[str, Any]]:
    takes = own_rehearsals_for(user).select_related("owner", "cohort", "talk")
    for take in takes.prefetch_related("told").iterator(chunk_size=_TAKES_AT_ONCE):
        yield _take(take)


def _take(take: Rehearsal) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for app in PERSONAL_DATA:
        if app.export_take is not None:
            document |= app.export_take(take)
    return document
