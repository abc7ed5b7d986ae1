"""Recordings that an administrator gains access to: logged, with a notice to their owners."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from coach.accounts.models import Purpose, User
from coach.accounts.selectors import ways_of
from coach.audit.services import record_act
from coach.notices.models import Kind
from coach.notices.services import notify
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import watchable_rehearsals_for
from coach.research.exports.selectors import rehearsals_for_research


@contextmanager
def notifying_owners(*, actor: User, reason: str) -> Iterator[None]:
    """Log the recordings that a change inside the block opens to administrators, and inform
    owners.
    """
    with transaction.atomic():
        ways, takes = _ways(), _takes()
        yield
        for person in _administrators():
            before = takes.get(person.pk, set())
            opened = _open_to(person) - before
            if opened or not ways_of(person) <= ways.get(person.pk, frozenset()):
                _notify_opening(person, opened, actor=actor, reason=reason)


def _administrators() -> list[User]:
    administers = Q(is_staff=True) | Q(administers_departments=True)
    return list(User.objects.filter(administers, is_active=True).order_by("pk"))


def _ways() -> dict[int, frozenset[str]]:
    return {person.pk: ways_of(person) for person in _administrators()}


def _takes() -> dict[int, set[UUID]]:
    return {person.pk: _open_to(person) for person in _administrators()}


def _open_to(person: User) -> set[UUID]:
    """Return others' takes whose recording this administrator can open, as a coach or a
    researcher.
    """
    if not ways_of(person):
        return set()
    coached = watchable_rehearsals_for(person)
    research = rehearsals_for_research(person, Purpose.RESEARCH_AUDIO).exclude(owner=person)
    return {
        *coached.values_list("pk", flat=True),
        *research.order_by().values_list("pk", flat=True),
    }


def _notify_opening(person: User, opened: set[UUID], *, actor: User, reason: str) -> None:
    entry = record_act(
        action="accounts.recordings_opened",
        target=person,
        actor=actor,
        reason=reason,
        takes=len(opened),
    )
    newest = Rehearsal.objects.filter(pk__in=opened).select_related("owner")
    for take in newest.order_by("owner", "-created_at").distinct("owner"):
        notify(person=take.owner, kind=Kind.ACCESS, rehearsal=take, about=entry)
