"""What was being typed about a take, or quotes somebody, goes with them, whoever typed it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import Q
from django.urls import reverse

from coach.guests.models import GuestLink
from coach.lib.pages.form_drafts import Without
from coach.portal.models import BegunForm, KeptForm
from coach.rehearsals.models import Removal
from coach.research.coding.models import Assignment
from coach.storage import places as storage_places

_KEY = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")


def purge_drafts(places: Collection[str], *, without: Without | None = None) -> None:
    """Forms on pages in whose address one of these stands; see `coach.lib.pages.form_drafts`."""
    wanted = {*places, *_further_places(places)}
    if not wanted:
        return
    begun = BegunForm.objects.filter(_names("page", wanted) | _names("form", wanted))
    kept = KeptForm.objects.filter(_names("page", wanted) | _names("url", wanted))
    if without is None:
        begun.delete()
        kept.delete()
        return
    for each in begun:
        left = {name: without(text) for name, text in each.fields.items()}
        if left != each.fields:
            BegunForm.objects.filter(pk=each.pk).update(fields=left)
    for form in kept:
        pairs = [[name, without(text)] for name, text in form.fields]
        if pairs != form.fields:
            KeptForm.objects.filter(pk=form.pk).update(fields=pairs)


def is_of_what_is_gone(page: str) -> bool:
    """Whether a page is of a take that was deleted: it may still be open somewhere."""
    gone = [storage_places.take_place(key) for key in _keys_in(page)]
    return bool(gone) and Removal.objects.filter(place__in=gone).exists()


def _names(column: str, places: Collection[str]) -> Q:
    return reduce(or_, (Q(**{f"{column}__contains": each}) for each in places))


def _keys_in(text: str) -> Iterator[UUID]:
    return (UUID(found) for found in _KEY.findall(text))


def _further_places(places: Collection[str]) -> Iterator[str]:
    """Where else these takes are looked at: as a guest, and by who codes them."""
    takes = [key for place in places for key in _keys_in(place)]
    links = GuestLink.objects.filter(rehearsal__in=takes)
    yield from map(str, links.values_list("pk", flat=True))
    shares = Assignment.objects.filter(rehearsal__in=takes)
    for slug, pk in shares.values_list("round__study__slug", "pk"):
        yield reverse("research:coding_take", args=[slug, pk])
