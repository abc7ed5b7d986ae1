"""Reading what was coded: of an open round everybody sees their own, and nothing else."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from coach.accounts.models import User
from coach.research.coding.models import Code, Coder, Coding, Interview, Round, Speaker, Turn
from coach.research.studies.models import Member, Study
from coach.research.studies.selectors import member_of, participations_of, studies_for

_EDITS = {Member.Role.LEAD, Member.Role.ANALYST}


def codings_for(user: User) -> QuerySet[Coding]:
    """Codings of somebody's studies: of closed rounds all, of open ones their own.

    It holds for whoever leads the study too: who has seen a colleague's codes agrees with them.
    """
    own = Q(coder__user=user, coder__kind=Coder.Kind.HUMAN)
    return Coding.objects.filter(
        Q(round__state=Round.State.CLOSED) | own, study__in=studies_for(user)
    )


def interviews_left() -> QuerySet[Interview]:
    """Interviews whose person has left; of a focus group those out of which everybody has.

    Where somebody is still there, the words of who has left are hidden turn by turn.
    """
    still = Speaker.objects.filter(
        interview=OuterRef("pk"), participant__isnull=False, participant__withdrawn_at=None
    )
    return Interview.objects.filter(~Exists(still), participant__withdrawn_at__isnull=False)


def codes_for(user: User, study: Study) -> QuerySet[Code]:
    """The codes of a study that somebody works on."""
    return Code.objects.filter(study=study, study__in=studies_for(user))


def may_edit_codebook(user: User, study: Study) -> bool:
    """Whether they keep the codebook: who leads and who analyses, so that few hands change it."""
    member = member_of(user, study)
    return member is not None and member.role in _EDITS


def may_code(user: User, study: Study) -> bool:
    """Whether they may be given texts; never who knows who is in which condition."""
    member = member_of(user, study)
    return member is not None and member.role != Member.Role.ALLOCATOR


def interviews_given_by(user: User) -> list[dict[str, Any]]:
    """Conversations in which somebody spoke, with their own words in them: for themselves alone.

    As they are coded, without names; as they came in where that is not done yet.
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
    """What is theirs is told by the speakers."""
    # "locked" comes before "raw".
    text = interview.texts.filter(is_current=True).order_by("kind").first()
    if text is None:
        return []
    own = Turn.objects.filter(text=text, speaker__participant__in=participations_of(user))
    return [text.text[turn.start : turn.end] for turn in own.order_by("number")]
