"""Writing to the audit log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coach.audit.actions import ACTIONS
from coach.audit.models import Entry

if TYPE_CHECKING:
    from django.db.models import Model

    from coach.accounts.models import User


def record_act(*, action: str, target: Model, actor: User | None = None, **detail: Any) -> Entry:
    """Write down one act, in the transaction of the change itself.

    Raises KeyError for an action that is not in the table.
    """
    ACTIONS[action]
    return Entry.objects.create(
        action=action,
        actor=actor,
        object_type=target._meta.label_lower,  # noqa: SLF001  # Django's public, underscored API
        object_id=str(target.pk),
        detail=detail,
    )
