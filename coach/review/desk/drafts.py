"""Saved drafts of the review page's own forms; `coach.drafts` handles all others."""

from __future__ import annotations

from django.urls import reverse

from coach.accounts.models import User
from coach.drafts.selectors import autosaved_drafts_for
from coach.drafts.services import delete_autosaved_draft
from coach.feedback.models import Feedback


def count_drafts(feedback: Feedback, coach: User) -> int:
    """Return the number of the coach's unsent texts on this version."""
    found = autosaved_drafts_for(coach).filter(page=_page(feedback)).exclude(form__startswith="/")
    named = [form.partition(":")[2] for form in found.values_list("form", flat=True)]
    rows = (feedback.items, feedback.notes)
    keys = {str(key) for each in rows for key in each.values_list("pk", flat=True)}
    return sum(not key or key in keys for key in named)


def delete_draft(*, feedback: Feedback, coach: User, form: str) -> None:
    """Delete the draft of an accepted form."""
    delete_autosaved_draft(user=coach, page=_page(feedback), form=form)


def delete_drafts_of_item(*, feedback: Feedback, coach: User, item_id: object) -> None:
    """Delete all drafts about a decided item, which would never be sent."""
    found = autosaved_drafts_for(coach).filter(page=_page(feedback))
    found.filter(form__endswith=f":{item_id}").delete()


def _page(feedback: Feedback) -> str:
    return reverse("review:desk", args=[feedback.rehearsal_id])
