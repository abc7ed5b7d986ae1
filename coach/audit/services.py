"""Writing to the audit log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coach.audit.actions import ACTIONS
from coach.audit.models import Entry
from coach.audit.things import THINGS
from coach.lib.places import place_now

if TYPE_CHECKING:
    from django.db.models import Model

    from coach.accounts.models import User


def record_act(
    *, action: str, target: Model | None, actor: User | None = None, **detail: Any
) -> Entry:
    """Write down one act and from where it is done, in the transaction of the change itself.

    No target: it was meant for something that is not here. Raises KeyError for an action that is
    not in the table, and for a target of a kind that has no word.
    """
    ACTIONS[action]
    kind = target._meta.label_lower if target else ""  # noqa: SLF001 (Django's public API)
    if kind:
        THINGS[kind]
    return Entry.objects.create(
        action=action,
        actor=actor,
        object_type=kind,
        object_id=str(target.pk) if target else "",
        from_where=place_now(),
        detail=detail,
    )
