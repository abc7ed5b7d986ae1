"""Withdrawal of a consent everywhere that it applies."""

from __future__ import annotations

from django.db import transaction

from coach.accounts.models import Purpose, User
from coach.accounts.selectors import standing_consents
from coach.accounts.services import withdraw_consent
from coach.rehearsals.selectors import own_rehearsals_for
from coach.rehearsals.services import withdraw_from_coach
from coach.research.studies.locks import hold_studies_of
from coach.research.studies.models import Scope
from coach.research.studies.taking_part import take_back_scopes

_SCOPES_OF = {
    purpose: (Scope(purpose.value),) for purpose in Purpose if purpose.value in Scope.values
} | {Purpose.RESEARCH_MEASUREMENTS: (Scope.MEASUREMENTS, Scope.FEEDBACK)}
"""What a purpose is in studies. The one for measurements covers coaches' decisions as well."""


@transaction.atomic
def take_back_consent(*, user: User, purpose: Purpose) -> None:
    """Withdraw a consent: no coach, study or export uses the data for this purpose any more."""
    scopes = _SCOPES_OF.get(purpose)
    if scopes:
        hold_studies_of(user)
    if purpose in standing_consents(user):
        withdraw_consent(user=user, purpose=purpose)
    elif purpose != Purpose.COACH:  # takes that were sent before this was kept count as well
        return
    if purpose == Purpose.COACH:
        for take in (
            own_rehearsals_for(user)
            .filter(grants__isnull=False, grants__revoked_at=None)
            .distinct()
        ):
            withdraw_from_coach(rehearsal=take)
    if scopes:
        take_back_scopes(user=user, scopes=scopes)
