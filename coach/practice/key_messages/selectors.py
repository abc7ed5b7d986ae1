"""Queries about key messages; a take that its reader may open leads to them."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from coach.accounts.models import User
from coach.practice.models import KeyMessage, KeyMessageVerdict
from coach.rehearsals.models import Rehearsal


def key_messages_for(user: User) -> QuerySet[KeyMessage]:
    """Return the messages of the user's own talks."""
    return KeyMessage.objects.filter(talk__owner=user)


def messages_of(take: Rehearsal) -> list[KeyMessage]:
    """Return the messages of the take's talk, as they are written now."""
    return list(KeyMessage.objects.filter(talk=take.talk_id))


def verdicts_on(take: Rehearsal) -> Sequence[KeyMessageVerdict]:
    """Return what the owner decided about this take, in time order."""
    return list(KeyMessageVerdict.objects.filter(take=take))
