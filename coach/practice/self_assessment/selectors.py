"""Reading what people said of their own takes: they themselves, and a coach who may."""

from __future__ import annotations

from coach.accounts.selectors import profile_of
from coach.practice.models import SelfAssessment
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import Rehearsal


def own_assessment(take: Rehearsal) -> SelfAssessment | None:
    """What its owner said, or that they skipped it; None where they were not asked."""
    try:
        return take.self_assessment
    except SelfAssessment.DoesNotExist:
        return None


def assessment_for_coach(take: Rehearsal) -> SelfAssessment | None:
    """The same for a coach: only what was answered, and only where its owner lets them."""
    found = own_assessment(take)
    if found is None or not found.coach_may_read:
        return None
    return found if found.state == SelfAssessment.State.ANSWERED else None


def is_to_be_asked(take: Rehearsal) -> bool:
    """Whether its owner is asked before the report: once, and never of what they have seen."""
    if take.opened_at is not None or take.kind != Kind.TAKE:
        return False
    if own_assessment(take) is not None:
        return False
    return profile_of(take.owner).reflects_first
