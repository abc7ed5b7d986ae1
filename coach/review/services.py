"""Claiming: one coach at a time works on a rehearsal, by a lease."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import lock_rehearsal
from coach.review.models import Claim

LEASE = timedelta(minutes=20)
"""Renewed by every act on the desk; abandoned work is free after this (rule of thumb)."""


class HeldByOther(Exception):
    """Another coach is on it."""

    def __init__(self, claim: Claim) -> None:
        super().__init__(str(claim.coach))
        self.claim = claim


@transaction.atomic
def claim_rehearsal(*, rehearsal: Rehearsal, coach: User) -> Claim:
    """Take a rehearsal, or renew one's own lease on it. Raises HeldByOther.

    Two coaches at once: the row is made once, and taken over by one conditional UPDATE.
    """
    lock_rehearsal(rehearsal.pk)  # else it may be given back between finding and prolonging it
    now = timezone.now()
    claim, created = Claim.objects.get_or_create(
        rehearsal=rehearsal, defaults={"coach": coach, "until": now + LEASE}
    )
    if created:
        record_act(action="review.claimed", target=rehearsal, actor=coach)
        return claim
    was_own = claim.coach_id == coach.pk
    free = Q(coach=coach) | Q(until__lt=now)
    if not Claim.objects.filter(free, pk=claim.pk).update(coach=coach, until=now + LEASE):
        raise HeldByOther(Claim.objects.select_related("coach").get(pk=claim.pk))
    if not was_own:
        record_act(action="review.claimed", target=rehearsal, actor=coach)
    claim.refresh_from_db()
    return claim


@transaction.atomic
def give_back(*, rehearsal: Rehearsal, coach: User) -> None:
    """Put a rehearsal back into the queue; what was decided so far stays."""
    lock_rehearsal(rehearsal.pk)
    count, _rows = Claim.objects.filter(rehearsal=rehearsal, coach=coach).delete()
    if count:
        record_act(action="review.given_back", target=rehearsal, actor=coach)
