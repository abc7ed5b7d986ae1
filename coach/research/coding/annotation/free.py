"""Free coding: outside rounds, with the codebook as it is now, open to every coder of the study."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.rehearsals.models import Rehearsal
from coach.research.coding.codebook.forms import tidy
from coach.research.coding.codebook.services import add_code, hold_codebook
from coach.research.coding.codebook.starter_codes import next_colour
from coach.research.coding.models import Assignment, Code, CodeChange, Coding, Interview, Round
from coach.research.coding.rounds.selectors import codable_interviews
from coach.research.coding.rounds.services import coder_of, unit_fields
from coach.research.coding.rounds.takes import codable_takes
from coach.research.studies.models import Study

_LONGEST_NAME = 120


@transaction.atomic
def open_freely(*, study: Study, unit: Interview | Rehearsal, actor: User) -> Assignment:
    """Return the user's free coding of an interview or take, beginning it if needed.

    The caller checks that it may be coded.
    """
    hold_codebook(study)
    free, _is_first = Round.objects.get_or_create(
        study=study, number=Round.FREE_NUMBER, defaults={"state": Round.State.FREE}
    )
    coder = coder_of(study, actor, None)
    free.coders.add(coder)
    share, is_new = Assignment.objects.get_or_create(round=free, coder=coder, **unit_fields(unit))
    if is_new:
        record_act(
            action="research.free_coding_begun",
            target=free,
            actor=actor,
            coder=coder.label,
            interview=share.interview.label if share.interview else "",
            rehearsal=str(share.rehearsal_id or ""),
        )
    return share


def free_units(study: Study, user: User) -> list[dict[str, Any]]:
    """Return the interviews and takes that can be coded freely, with one's own codings and those
    of others.
    """
    free = Coding.objects.filter(study=study, round__state=Round.State.FREE).order_by()
    unit = "rehearsal", "text__interview"
    every, own = (
        Counter(rows.values_list(*unit)) for rows in (free, free.filter(coder__user=user))
    )
    rows: list[tuple[tuple[object, object], str, str]] = [
        ((None, each.pk), each.label, reverse("research:open_free", args=[study.slug, each.number]))
        for each in codable_interviews(study)
    ]
    for take in codable_takes(study):
        address = reverse("research:open_free_take", args=[study.slug, take.rehearsal.pk])
        rows.append(((take.rehearsal.pk, None), take.label, address))
    return [
        {"name": name, "address": address, "own": own[key], "others": every[key] - own[key]}
        for key, name, address in rows
    ]


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


@transaction.atomic
def recode(*, assignment: Assignment, coding: Coding, code: Code) -> None:
    """Replace the code of one's own free coding; the history of the codes says from which.

    Raises ValidationError outside free coding, and if the passage already has the code.
    """
    if not assignment.round.is_free:
        raise ValidationError(_("Codes can only be replaced while coding freely."))
    hold_codebook(assignment.round.study)
    same = Coding.objects.filter(round=coding.round_id, coder=coding.coder_id, **coding.place)
    if same.filter(code=code).exists():
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
        start=coding.start if coding.text_id else coding.start_ms,
        end=coding.end if coding.text_id else coding.end_ms,
    )
