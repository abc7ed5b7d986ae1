"""Services that write to and clean up the audit logs."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import Model, Q
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


def replace_in_entries(*, area: str, keys: Sequence[str], values: Mapping[str, str]) -> int:
    """Replace texts in the details of an area's entries; return the number of entries.

    For names of people in objects that were named after them: an entry stays otherwise.
    """
    wanted = reduce(or_, (Q(**{f"detail__{key}__in": list(values)}) for key in keys))
    lists = reduce(
        or_, (Q(**{f"detail__{key}__contains": [each]}) for key in keys for each in values)
    )
    count = 0
    for entry in Entry.objects.filter(wanted | lists, action__startswith=area):
        for key in keys:
            said = entry.detail.get(key)
            if isinstance(said, list):
                entry.detail[key] = [values.get(each, each) for each in said]
            elif isinstance(said, str):
                entry.detail[key] = values.get(said, said)
        entry.save(update_fields=["detail"])
        count += 1
    return count


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
