"""Keeping what somebody typed and could not send."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from uuid import UUID

from django.db import transaction

from coach.accounts.models import User
from coach.portal.models import KeptForm, PageMark
from coach.portal.selectors import kept_forms_for

MOST_KEPT = 10
"""For one person at a time; the oldest go first."""


@lru_cache(maxsize=10_000)
def mark_pages(*, digest: str, owner_id: int) -> None:
    """Note for whom the pages with this secret are made; once in each process for a sign-in.

    Signing in always makes a new secret, so that no two people ever share one.
    """
    mark = PageMark(digest=digest, user_id=owner_id)
    PageMark.objects.bulk_create([mark], ignore_conflicts=True)


@transaction.atomic
def keep_form(
    *,
    user: User,
    url: str,
    page: str,
    fields: Sequence[tuple[str, str]],
    files: Sequence[str],
) -> KeptForm:
    """Keep what was typed for this person, for a day. Pressing twice keeps it once."""
    kept = [[name, value] for name, value in fields]
    KeptForm.objects.filter(user=user, url=url, fields=kept).delete()
    form = KeptForm.objects.create(user=user, url=url, page=page, fields=kept, files=list(files))
    newest = kept_forms_for(user).values_list("pk", flat=True)[:MOST_KEPT]
    KeptForm.objects.filter(user=user).exclude(pk__in=list(newest)).delete()
    return form


def discard_kept_form(*, user: User, kept_id: UUID) -> None:
    """It was sent, or its owner does not want it any more."""
    KeptForm.objects.filter(user=user, pk=kept_id).delete()
