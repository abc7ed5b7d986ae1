"""Queries about self-assessments, for their owners and permitted coaches."""

from __future__ import annotations

from coach.accounts.selectors import profile_of
from coach.practice.models import SelfAssessment
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for


def own_assessment(take: Rehearsal) -> SelfAssessment | None:
    """Return the owner's answers, or that they skipped; None if they were not asked."""
    try:
        return take.self_assessment
    except SelfAssessment.DoesNotExist:
        return None


def assessment_for_coach(take: Rehearsal) -> SelfAssessment | None:
    """Return the answered self-assessment for a coach; None unless its owner allows it."""
    found = own_assessment(take)
    if found is None or not found.coach_may_read:
        return None
    return found if found.state == SelfAssessment.State.ANSWERED else None


def is_first_report(take: Rehearsal) -> bool:
    """Return whether the owner has opened no report yet."""
    return not own_rehearsals_for(take.owner).filter(opened_at__isnull=False).exists()


def is_to_be_asked(take: Rehearsal) -> bool:
    """Return whether the owner is asked before the report: once, and never after seeing it."""
    if take.opened_at is not None or take.kind != Kind.TAKE:
        return False
    if own_assessment(take) is not None:
        return False
    return profile_of(take.owner).reflects_first
