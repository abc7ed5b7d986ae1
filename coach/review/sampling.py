"""Sampling of takes, for example for a second opinion: a share per cohort, decided at sending."""

from __future__ import annotations

from django.utils.crypto import salted_hmac

from coach.accounts.models import Membership, Role
from coach.rehearsals.models import AccessGrant

_BYTES = 8


def wants_second_opinion(grant: AccessGrant) -> bool:
    """Return whether a second coach also reviews this take.

    A keyed hash of the grant decides: always the same for the same grant, and
    unpredictable without the site's secret. Never if the group has no second coach.
    """
    cohort = grant.cohort
    if cohort is None or not cohort.second_opinion_percent:
        return False
    share = draw("coach.review.sampling", grant)
    return share < cohort.second_opinion_percent / 100 and _has_two_coaches(grant)


def draw(purpose: str, grant: AccessGrant) -> float:
    """Return a number from 0 to 1 that a keyed hash of the purpose and the grant gives."""
    drawn = salted_hmac(purpose, f"{grant.rehearsal_id}:{grant.pk}", algorithm="sha256")
    number: float = int.from_bytes(drawn.digest()[:_BYTES]) / 2 ** (8 * _BYTES)
    return number


def _has_two_coaches(grant: AccessGrant) -> bool:
    coaches = Membership.objects.filter(
        cohort=grant.cohort,
        role=Role.COACH,
        user__is_active=True,
        user__roles__contains=[Role.COACH],
    )
    return coaches.exclude(user=grant.rehearsal.owner_id).count() > 1
