"""Reading the audit log for those whom an entry is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from coach.audit.models import Entry, SecurityEvent

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from coach.accounts.models import User


def account_entries_for(user: User) -> QuerySet[Entry]:
    """What happened to the person's account, by whomever; newest first."""
    about = Entry.objects.filter(object_type="accounts.user", object_id=str(user.pk))
    return about.select_related("actor")


def security_events_for(user: User) -> QuerySet[SecurityEvent]:
    """What the security log has of a person: what they did, and what was tried at their account."""
    about = Q(object_type="accounts.user", object_id=str(user.pk))
    return SecurityEvent.objects.filter(Q(actor=user) | about)
