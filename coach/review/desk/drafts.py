"""Unsent text of the review page, saved for its coach."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.feedback.models import Feedback, Unsent
from coach.lib.pages.plain_text import storable

MOST_CHARACTERS = 8_000
"""More than all fields of a form hold together."""
MOST_FORMS = 40
"""Of one coach on one draft, the newest: a desk has fewer (rule of thumb)."""
_NOT_KEPT = {"csrfmiddlewaretoken", "seen", "action"}


def keep_unsent(*, feedback: Feedback, coach: User, form: str, fields: object) -> None:
    """Keep the fields of a form; empty ones are forgotten. Raises ValueError for no form."""
    if not isinstance(fields, dict) or not form or len(form) > 60 or storable(form) != form:
        raise ValueError
    kept = {
        storable(str(name)): storable(str(value))
        for name, value in fields.items()
        if name not in _NOT_KEPT and value not in ("", None)
    }
    if sum(map(len, kept.values())) > MOST_CHARACTERS:
        raise ValueError
    if not kept:
        forget_unsent(feedback=feedback, coach=coach, form=form)
        return
    Unsent.objects.update_or_create(
        feedback=feedback, coach=coach, form=form, defaults={"fields": kept}
    )
    begun = Unsent.objects.filter(feedback=feedback, coach=coach)
    newest = begun.order_by("-at", "-pk").values_list("pk", flat=True)[:MOST_FORMS]
    begun.exclude(pk__in=list(newest)).delete()


def forget_unsent(*, feedback: Feedback, coach: User, form: str) -> None:
    """Delete the unsent text of a form that was sent or emptied."""
    Unsent.objects.filter(feedback=feedback, coach=coach, form=form).delete()


def forget_unsent_of_item(*, feedback: Feedback, coach: User, item_id: object) -> None:
    """Delete all unsent text about an item that has been decided."""
    Unsent.objects.filter(feedback=feedback, coach=coach, form__endswith=f":{item_id}").delete()


def unsent_of(feedback: Feedback, coach: User) -> tuple[dict[str, Any], ...]:
    """Form and fields of each, for the page to fill in again."""
    found = Unsent.objects.filter(feedback=feedback, coach=coach)
    return tuple({"form": each.form, "fields": each.fields} for each in found)
