"""Services that write to and clean up the audit logs."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils import timezone

from coach.audit.models import Entry, SecurityEvent
from coach.audit.registry import ACTIONS, RECORDING_OPENED, SECURITY_ACTIONS
from coach.audit.things import THINGS
from coach.lib.audit_context import place_now
from coach.lib.web.client_address import client_address

if TYPE_CHECKING:
    from coach.accounts.models import User
    from coach.audit.things import Thing

log = logging.getLogger(__name__)


def record_act(
    *, action: str, target: Thing | None, actor: User | None = None, **detail: Any
) -> Entry:
    """Write an audit log entry with its origin, in the transaction of the change itself.

    Without a target the action was meant for an object that does not exist. Raises KeyError for an
    action that is not registered.
    """
    ACTIONS[action]
    kind = target._meta.label_lower if target else ""  # noqa: SLF001 (Django's public API)
    if kind and kind not in THINGS:
        # Not a reason to roll back the action: the list shows the model's name instead.
        log.error("no word in the audit log for %s", kind)
    if action in SECURITY_ACTIONS:
        _note_address(action, kind, str(target.pk) if target else "", actor)
    return Entry.objects.create(
        action=action,
        actor=actor,
        object_type=kind,
        object_id=str(target.pk) if target else "",
        from_where=place_now(),
        detail=detail,
    )


def record_opening(*, target: Thing, actor: User) -> None:
    """Record the network address from which a person opened another person's recording."""
    _note_address(RECORDING_OPENED, target._meta.label_lower, str(target.pk), actor)  # noqa: SLF001


def _note_address(action: str, kind: str, key: str, actor: User | None) -> None:
    SecurityEvent.objects.create(
        action=action, object_type=kind, object_id=key, actor=actor, address=client_address()
    )


def forget_old() -> int:
    """Delete expired entries of both logs; return the number of rows."""
    now, count = timezone.now(), 0
    for model, days in (
        (SecurityEvent, settings.KEEP_SECURITY_LOG_DAYS),
        (Entry, settings.KEEP_AUDIT_DAYS),
    ):
        if days:
            count += model.objects.filter(at__lt=now - timedelta(days=days)).delete()[0]
    return count
