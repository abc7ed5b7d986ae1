"""Deletion of drafts, whoever typed them, about something or somebody that is erased."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import Q

from coach.drafts.models import FormDraft
from coach.rehearsals.models import Removal
from coach.storage import places

_KEY = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")


def purge_drafts(
    addresses: Collection[str], *, without: Callable[[str], str] | None = None
) -> None:
    """Delete the drafts of pages or forms whose address contains one of these.

    With `without`, they stay, and each value becomes what that function returns for it.
    """
    if not addresses:
        return
    names = [Q(page__contains=each) | Q(form__contains=each) for each in addresses]
    drafts = FormDraft.objects.filter(reduce(or_, names))
    if without is None:
        drafts.delete()
        return
    for draft in drafts:
        fields = [[name, without(value)] for name, value in draft.fields]
        if fields != draft.fields:
            FormDraft.objects.filter(pk=draft.pk).update(fields=fields)


def purge_drafts_of_take(rehearsal_id: UUID) -> None:
    """Delete the drafts of pages whose address has the key of this take."""
    purge_drafts([str(rehearsal_id)])


def is_about_deleted_take(page: str) -> bool:
    """Return whether the page is of a take that was deleted: it may still be open in a browser."""
    gone = [places.take_place(UUID(key)) for key in _KEY.findall(page)]
    return bool(gone) and Removal.objects.filter(place__in=gone).exists()
