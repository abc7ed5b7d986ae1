"""Services to save and delete drafts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from coach.accounts.models import User
from coach.drafts.models import FormDraft
from coach.drafts.purge import is_about_deleted_take
from coach.drafts.submitted import savable
from coach.lib.pages.plain_text import storable

SUBMITTED_FOR = timedelta(hours=24)
"""The lifetime of a submitted draft, until the next morning (rule of thumb)."""
AUTOSAVED_FOR = timedelta(days=14)
"""The lifetime of an autosaved draft, longer than a week of holidays (rule of thumb)."""
MOST_SUBMITTED = 10
"""The maximum number of submitted drafts per user; the oldest are deleted first."""
MOST_AUTOSAVED = 200
"""The maximum number of autosaved drafts per user: a few review pages with every form begun."""
MOST_OF_A_NAME = 300
MOST_CHARACTERS = 60_000
"""The maximum length of a draft, above that of the longest form: a rule with its cases."""


@transaction.atomic
def save_submitted_draft(
    *,
    user: User,
    url: str,
    page: str,
    fields: Iterable[tuple[str, str]],
    files: Sequence[str],
) -> FormDraft:
    """Save a form submitted without a session; a second submission replaces the first.

    `fields` come from `read_form`, which has already applied `savable`.
    """
    saved = [list(pair) for pair in fields]
    FormDraft.objects.filter(user=user, is_submitted=True, form=url, fields=saved).delete()
    draft = FormDraft.objects.create(
        user=user,
        is_submitted=True,
        form=url,
        page=page,
        fields=saved,
        files=list(files),
        expires_at=timezone.now() + SUBMITTED_FOR,
    )
    _keep_newest(user, is_submitted=True, most=MOST_SUBMITTED)
    return draft


@transaction.atomic
def autosave_draft(*, user: User, page: str, form: str, fields: object) -> None:
    """Save the changed fields of a form, or delete its draft if there are none.

    Raises ValueError for data that our forms never send.
    """
    if not isinstance(fields, dict) or not _names_a_form(page, form):
        raise ValueError
    saved = savable((str(name), str(value)) for name, value in fields.items())
    if sum(len(name) + len(value) for name, value in saved) > MOST_CHARACTERS:
        raise ValueError
    if not saved or is_about_deleted_take(page):
        delete_autosaved_draft(user=user, page=page, form=form)
        return
    now = timezone.now()
    FormDraft.objects.update_or_create(
        user=user,
        page=page,
        form=form,
        is_submitted=False,
        defaults={
            "fields": saved,
            "saved_at": now,
            "expires_at": now + AUTOSAVED_FOR if form.startswith("/") else None,
        },
    )
    _keep_newest(user, is_submitted=False, most=MOST_AUTOSAVED)


def delete_autosaved_draft(*, user: User, page: str, form: str) -> None:
    """Delete the autosaved draft of a submitted or discarded form."""
    if _names_a_form(page, form):
        FormDraft.objects.filter(user=user, page=page, form=form, is_submitted=False).delete()


def delete_submitted_draft(*, user: User, draft_id: UUID) -> None:
    """Delete the draft of a form that was submitted again or discarded."""
    FormDraft.objects.filter(user=user, pk=draft_id, is_submitted=True).delete()


def delete_expired_drafts() -> int:
    """Delete expired drafts and return their number."""
    count, _each = FormDraft.objects.filter(expires_at__lte=timezone.now()).delete()
    return count


def _keep_newest(user: User, *, is_submitted: bool, most: int) -> None:
    drafts = FormDraft.objects.filter(user=user, is_submitted=is_submitted)
    oldest = drafts.order_by("-saved_at").values_list("pk", flat=True)[most:]
    drafts.filter(pk__in=list(oldest)).delete()


def _names_a_form(page: str, form: str) -> bool:
    return (
        page.startswith("/")
        and max(len(page), len(form)) <= MOST_OF_A_NAME
        and form != ""
        and storable(page + form) == page + form
    )
