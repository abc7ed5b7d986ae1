"""Services that write to and clean up the audit logs."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import Model
from django.utils import timezone
from django.utils.functional import Promise

from coach.audit.models import Entry, SecurityEvent
from coach.audit.registry import ACTIONS, RECORDING_OPENED, SECURITY_ACTIONS
from coach.lib.audit_context import place_now
from coach.lib.web.client_address import client_address

if TYPE_CHECKING:
    from coach.accounts.models import User

log = logging.getLogger(__name__)


def record_act(
    *, action: str, target: Model | None, actor: User | None = None, **detail: Any
) -> Entry:
    """Record one act and where it was done, in the transaction of the change itself.

    Args:
        target: What it was done to, or None for something that is not stored here. The log calls
            it by `Meta.verbose_name`, which the model marks for translation.

    Raises:
        KeyError: if no app has registered the action.
    """
    ACTIONS[action]
    kind = target._meta.label_lower if target else ""  # noqa: SLF001 (Django's public API)
    if target and not isinstance(target._meta.verbose_name, Promise):  # noqa: SLF001
        # No reason to undo the act: the log shows the English name that Django makes up.
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


def record_opening(*, target: Model, actor: User) -> None:
    """Record for some weeks the network address that opened another person's recording."""
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
