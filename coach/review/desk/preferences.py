"""What a coach is told of how a trainee wants feedback: what it changes; why only if allowed."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from analysis.metrics import PROFILE_FAMILIES
from coach.accounts.profile import Profile, Respect
from coach.accounts.selectors import profile_of
from coach.feedback.pages.measures import FAMILY_LABELS
from coach.lib.words.measure_words import label_of
from coach.lib.words.punctuation import within_quotes
from coach.practice.self_assessment.page import SelfAssessmentSummary, self_assessment_summary
from coach.practice.self_assessment.selectors import assessment_for_coach
from coach.rehearsals.models import Rehearsal
from feedback_rules.model import FIRST_LANGUAGE


def wishes_words(take: Rehearsal) -> tuple[str, ...]:
    """A sentence for each thing that is otherwise than usual with this take."""
    return (*_left_out(take), *_read(take, profile_of(take.owner)))


def said_to_coach(take: Rehearsal) -> SelfAssessmentSummary | None:
    """What the trainee said of themselves before reading, where they let their coach read it.

    Nothing is compared: the cards are still the coach's to decide on.
    """
    found = assessment_for_coach(take)
    return self_assessment_summary(found, None) if found else None


def _left_out(take: Rehearsal) -> Iterator[str]:
    if take.disabled_families:
        families = sorted(
            {each for name in take.disabled_families for each in PROFILE_FAMILIES[name]}
        )
        named = ", ".join(str(FAMILY_LABELS[family]) for family in families)
        yield _("Not measured, at their request: %(named)s.") % {"named": named}
    if take.quiet:
        named = ", ".join(map(_quiet_words, take.quiet))
        yield _("Measured, but no cards shown, at their request: %(named)s.") % {"named": named}


def _quiet_words(name: str) -> str:
    if name == FIRST_LANGUAGE:
        return _("What is usual in a first language")
    return str(FAMILY_LABELS[name]) if name in FAMILY_LABELS else label_of(name)


def _read(take: Rehearsal, wishes: Profile) -> Iterator[str]:
    if take.waits_by_choice:
        yield _("They see none of this before you answer.")
    if wishes.gentle:
        yield _("They see strengths before anything to work on.")
    if wishes.reads_one_by_one:
        yield _("They see one card at a time, in this order.")
    if wishes.reads_words_first:
        yield _("They see words first; figures are one click away.")
    if wishes.coach_may_know and wishes.respects:
        said = "; ".join(str(Respect(each).label) for each in wishes.respects)
        yield _("They want you to know: “%(said)s”.") % {"said": within_quotes(said)}
