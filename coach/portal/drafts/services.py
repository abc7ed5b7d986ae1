"""Keeping what somebody typed and could not send."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from uuid import UUID

from django.db import transaction

from coach.accounts.models import User
from coach.lib.pages.plain_text import storable
from coach.portal.drafts.forgetting import is_of_what_is_gone
from coach.portal.drafts.selectors import begun_forms_for, kept_forms_for
from coach.portal.models import BegunForm, KeptForm, PageMark

MOST_KEPT = 10
"""For one person at a time; the oldest go first."""
MOST_BEGUN = 40
"""The same of forms that somebody is typing into."""
MOST_OF_A_NAME = 300
MOST_CHARACTERS = 60_000
"""More than the longest form here holds: a rule with its cases."""


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


@transaction.atomic
def keep_begun_form(*, user: User, page: str, form: str, fields: object) -> None:
    """Keep what was typed so far; a form that is empty again is forgotten.

    Raises ValueError for what no form of ours sends.
    """
    if not isinstance(fields, dict) or not _names_a_form(page, form):
        raise ValueError
    kept = {storable(str(name)): storable(str(value)) for name, value in fields.items()}
    if sum(len(name) + len(value) for name, value in kept.items()) > MOST_CHARACTERS:
        raise ValueError
    if not kept or is_of_what_is_gone(page):
        forget_begun_form(user=user, page=page, form=form)
        return
    BegunForm.objects.update_or_create(user=user, page=page, form=form, defaults={"fields": kept})
    newest = begun_forms_for(user).values_list("pk", flat=True)[:MOST_BEGUN]
    BegunForm.objects.filter(user=user).exclude(pk__in=list(newest)).delete()


def forget_begun_form(*, user: User, page: str, form: str) -> None:
    """It was sent, or its owner does not want it any more."""
    if _names_a_form(page, form):
        BegunForm.objects.filter(user=user, page=page, form=form).delete()


def _names_a_form(page: str, form: str) -> bool:
    return (
        page.startswith("/")
        and max(len(page), len(form)) <= MOST_OF_A_NAME
        and form != ""
        and "\0" not in page + form
    )
