"""Services for saving a self-assessment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import inf

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from coach.audit.services import record_act
from coach.lib.words.clock import clock
from coach.practice.models import OwnMoment, SelfAssessment
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import lock_rehearsal


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedMoment:
    """A marked moment; `at_seconds` of the media."""

    at_seconds: float
    tone: str
    quality: str
    word: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfAssessmentAnswers:
    """The three answers; each may be empty."""

    went_well: str = ""
    would_change: str = ""
    closeness: str = ""
    coach_may_read: bool = False


@transaction.atomic
def assess_oneself(
    *, take: Rehearsal, thoughts: SelfAssessmentAnswers, moments: Sequence[MarkedMoment]
) -> SelfAssessment:
    """Save the owner's assessment; a second one changes nothing.

    Raises ValidationError for a moment outside the recording.
    """
    _check(take, moments)
    made = _begin(take, SelfAssessment.State.ANSWERED, thoughts)
    if made is None:
        return SelfAssessment.objects.get(rehearsal=take)
    OwnMoment.objects.bulk_create(OwnMoment(assessment=made, **asdict(each)) for each in moments)
    record_act(action="practice.self_assessed", target=take, actor=take.owner)
    return made


@transaction.atomic
def skip_assessment(*, take: Rehearsal) -> None:
    """Skip the assessment and record that it was skipped."""
    if _begin(take, SelfAssessment.State.SKIPPED, SelfAssessmentAnswers()) is not None:
        record_act(action="practice.self_assessment_skipped", target=take, actor=take.owner)


@transaction.atomic
def share_assessment(*, take: Rehearsal, coach_may_read: bool) -> None:
    """Let coaches who are sent the take read it, or stop that."""
    changed = SelfAssessment.objects.filter(rehearsal=take).exclude(coach_may_read=coach_may_read)
    if changed.update(coach_may_read=coach_may_read):
        record_act(action="practice.self_assessment_shared", target=take, actor=take.owner)


def _begin(take: Rehearsal, state: str, thoughts: SelfAssessmentAnswers) -> SelfAssessment | None:
    """Create the row once; None if it exists."""
    if not lock_rehearsal(take.pk) or SelfAssessment.objects.filter(rehearsal=take).exists():
        return None
    made = SelfAssessment(rehearsal=take, state=state, **asdict(thoughts))
    made.full_clean()
    made.save()
    return made


def _check(take: Rehearsal, moments: Sequence[MarkedMoment]) -> None:
    # The length is unknown until the analysis has opened the recording.
    length = inf if take.duration is None else take.duration
    if any(not 0 <= each.at_seconds <= length + 0.5 for each in moments):
        raise ValidationError(
            _("The recording ends at %(end)s. Choose a moment before that.")
            % {"end": clock(length)}
        )
