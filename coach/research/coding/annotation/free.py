"""Free coding: outside rounds, with the codebook as it is now, open to every coder of the study."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Q
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.coding.annotation.services import TextSpan
from coach.research.coding.codebook.forms import tidy
from coach.research.coding.codebook.services import add_code, hold_codebook
from coach.research.coding.codebook.starter_codes import next_colour
from coach.research.coding.models import Assignment, Code, CodeChange, Coding, Interview, Round
from coach.research.coding.rounds.selectors import codable_interviews
from coach.research.coding.rounds.services import coder_of
from coach.research.studies.models import Study

_LONGEST_NAME = 120


@transaction.atomic
def open_freely(*, interview: Interview, actor: User) -> Assignment:
    """Return the user's free coding of an interview, beginning it if needed."""
    study = interview.study
    hold_codebook(study)
    free, _is_first = Round.objects.get_or_create(
        study=study, number=Round.FREE_NUMBER, defaults={"state": Round.State.FREE}
    )
    coder = coder_of(study, actor, None)
    free.coders.add(coder)
    share, is_new = Assignment.objects.get_or_create(round=free, coder=coder, interview=interview)
    if is_new:
        record_act(
            action="research.free_coding_begun",
            target=free,
            actor=actor,
            coder=coder.label,
            interview=interview.label,
        )
    return share


def free_interviews(study: Study, user: User) -> list[dict[str, Any]]:
    """Return the interviews that can be coded freely, with one's own codings and those of
    others.
    """
    free = Q(texts__codings__round__state=Round.State.FREE)
    own = Q(texts__codings__coder__user=user)
    rows = codable_interviews(study).annotate(
        every=Count("texts__codings", filter=free), own=Count("texts__codings", filter=free & own)
    )
    return [{"interview": each, "own": each.own, "others": each.every - each.own} for each in rows]


@transaction.atomic
def new_code(*, assignment: Assignment, name: str, actor: User) -> Code:
    """Return the code of this name, adding it to the codebook if there is none.

    Raises ValidationError outside free coding, and for a name that cannot be used.
    """
    name = tidy(name)
    if not assignment.round.is_free:
        raise ValidationError(_("New codes can only be added while coding freely."))
    if not 0 < len(name) <= _LONGEST_NAME:
        raise ValidationError(_("The name of a code has 1 to 120 characters."))
    study = assignment.round.study
    hold_codebook(study)
    there = Code.objects.filter(study=study, name__iexact=name).first()
    if there is None:
        return add_code(code=Code(study=study, name=name, colour=next_colour(study)), actor=actor)
    if there.state != Code.State.ACTIVE or not there.is_codable:
        raise ValidationError(
            _("%(code)s is in the codebook, but it cannot be applied.") % {"code": there.name}
        )
    return there


def said_in(span: TextSpan) -> str:
    """Return the words of a span, as the name of a code in vivo."""
    return span.text.text[span.start : span.end]


@transaction.atomic
def recode(*, assignment: Assignment, coding: Coding, code: Code) -> None:
    """Replace the code of one's own free coding; the history of the codes says from which.

    Raises ValidationError outside free coding, and if the passage already has the code.
    """
    if not assignment.round.is_free:
        raise ValidationError(_("Codes can only be replaced while coding freely."))
    hold_codebook(assignment.round.study)
    place = {name: getattr(coding, name) for name in ("round", "coder", "text", "start", "end")}
    if Coding.objects.filter(code=code, **place).exists():
        raise ValidationError(_("%(code)s is already applied here.") % {"code": code.name})
    before, coding.code = coding.code, code
    coding.save(update_fields=["code"])
    change = CodeChange.objects.create(
        code=before,
        kind=CodeChange.Kind.RECODED,
        after={"into": code.name, "codings": [str(coding.guid)]},
        by=assignment.coder.user,
    )
    change.others.add(code)
    record_act(
        action="research.recoded",
        target=coding,
        actor=assignment.coder.user,
        code=before.name,
        into=code.name,
        start=coding.start,
        end=coding.end,
    )
