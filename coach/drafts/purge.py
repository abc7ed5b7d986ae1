"""Deletion of all users' drafts about an erased take or person."""

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
    """Delete the drafts whose page or form URL contains one of these addresses.

    With `without`, the drafts stay, and that function replaces each of their values.
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
    """Delete the drafts whose URL contains the id of this take."""
    purge_drafts([str(rehearsal_id)])


def is_about_deleted_take(page: str) -> bool:
    """Return whether the page is about a deleted take; it may still be open in a browser."""
    gone = [places.take_place(UUID(key)) for key in _KEY.findall(page)]
    return bool(gone) and Removal.objects.filter(place__in=gone).exists()
