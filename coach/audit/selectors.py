"""Queries of the audit log for the person concerned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from coach.audit.models import Entry, SecurityEvent

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from coach.accounts.models import User


def account_entries_for(user: User) -> QuerySet[Entry]:
    """Return the entries about the person's account by any actor, newest first."""
    about = Entry.objects.filter(object_type="accounts.user", object_id=str(user.pk))
    return about.select_related("actor")


def security_events_for(user: User) -> QuerySet[SecurityEvent]:
    """Return a person's security events: their own actions, and attempts on their account."""
    about = Q(object_type="accounts.user", object_id=str(user.pk))
    return SecurityEvent.objects.filter(Q(actor=user) | about)
