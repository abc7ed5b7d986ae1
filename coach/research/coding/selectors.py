"""Queries about codings: in an open round everybody sees only their own."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from coach.accounts.models import User
from coach.research.coding.models import (
    Code,
    CodeChange,
    Coder,
    Coding,
    Interview,
    Round,
    Speaker,
    Turn,
)
from coach.research.studies.models import Member, Study
from coach.research.studies.selectors import member_of, participations_of, studies_for

_EDITS = {Member.Role.LEAD, Member.Role.ANALYST}


def codings_for(user: User) -> QuerySet[Coding]:
    """Return the codings of the user's studies: of open rounds their own, otherwise all.

    This applies to leads too: a person who has seen a colleague's codes tends to agree with them.
    """
    own = Q(coder__user=user, coder__kind=Coder.Kind.HUMAN)
    return Coding.objects.filter(
        ~Q(round__state=Round.State.OPEN) | own, study__in=studies_for(user)
    )


def interviews_left() -> QuerySet[Interview]:
    """Return the interviews whose participant has left, or all participants of a focus group.

    If some remain, the words of those who left are hidden turn by turn.
    """
    still = Speaker.objects.filter(
        interview=OuterRef("pk"), participant__isnull=False, participant__withdrawn_at=None
    )
    return Interview.objects.filter(~Exists(still), participant__withdrawn_at__isnull=False)


def codes_for(user: User, study: Study) -> QuerySet[Code]:
    """Return the codes of a study, for its members."""
    return Code.objects.filter(study=study, study__in=studies_for(user))


def may_edit_codebook(user: User, study: Study) -> bool:
    """Return whether the user may edit the codebook: leads and analysts."""
    member = member_of(user, study)
    return member is not None and member.role in _EDITS


def may_change_code(user: User, code: Code) -> bool:
    """Return whether the user may change a code: leads, analysts, and the coder who added it."""
    if may_edit_codebook(user, code.study):
        return True
    added = code.changes.filter(kind=CodeChange.Kind.ADDED, by=user)
    return may_code(user, code.study) and added.exists()


def may_code(user: User, study: Study) -> bool:
    """Return whether the user may be assigned texts; never an allocator, who knows the
    conditions.
    """
    member = member_of(user, study)
    return member is not None and member.role != Member.Role.ALLOCATOR


def interviews_given_by(user: User) -> list[dict[str, Any]]:
    """Return the user's conversations with their own words, for themselves only.

    The locked text without names, or the original if there is none yet.
    """
    mine = participations_of(user)
    held = Interview.objects.filter(Q(participant__in=mine) | Q(speakers__participant__in=mine))
    return [
        {
            "study": each.study.title,
            "interview": each.label,
            "kind": each.kind,
            "held_on": each.held_on,
            "said": _said_in(each, user),
        }
        for each in held.distinct().select_related("study").order_by("study", "number")
    ]


def _said_in(interview: Interview, user: User) -> list[str]:
    """Return the user's own turns, identified by the speakers."""
    # "locked" sorts before "raw".
    text = interview.texts.filter(is_current=True).order_by("kind").first()
    if text is None:
        return []
    own = Turn.objects.filter(text=text, speaker__participant__in=participations_of(user))
    return [text.text[turn.start : turn.end] for turn in own.order_by("number")]
