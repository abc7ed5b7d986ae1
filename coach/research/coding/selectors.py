"""Reading what was coded: of an open round everybody sees their own, and nothing else."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from coach.accounts.models import User
from coach.research.coding.models import Code, Coder, Coding, Round
from coach.research.studies.models import Member, Study
from coach.research.studies.selectors import member_of, studies_for

_EDITS = {Member.Role.LEAD, Member.Role.ANALYST}


def codings_for(user: User) -> QuerySet[Coding]:
    """Codings of somebody's studies: of closed rounds all, of open ones their own.

    It holds for whoever leads the study too: who has seen a colleague's codes agrees with them.
    """
    own = Q(coder__user=user, coder__kind=Coder.Kind.HUMAN)
    return Coding.objects.filter(
        Q(round__state=Round.State.CLOSED) | own, study__in=studies_for(user)
    )


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
