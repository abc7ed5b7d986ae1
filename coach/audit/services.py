"""Writing to the audit log."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from coach.audit.models import Entry
from coach.audit.registry import ACTIONS
from coach.audit.things import THINGS
from coach.lib.places import place_now

if TYPE_CHECKING:
    from coach.accounts.models import User
    from coach.audit.things import Thing

log = logging.getLogger(__name__)


def record_act(
    *, action: str, target: Thing | None, actor: User | None = None, **detail: Any
) -> Entry:
    """Write down one act and from where it is done, in the transaction of the change itself.

    No target: it was meant for something that is not here. Raises KeyError for an action that is
    not in the table.
    """
    ACTIONS[action]
    kind = target._meta.label_lower if target else ""  # noqa: SLF001 (Django's public API)
    if kind and kind not in THINGS:
        # No reason to undo what somebody did: the list names the model instead.
        log.error("no word in the audit log for %s", kind)
    return Entry.objects.create(
        action=action,
        actor=actor,
        object_type=kind,
        object_id=str(target.pk) if target else "",
        from_where=place_now(),
        detail=detail,
    )
