"""Merging and splitting of codes; the history names every coding that moves."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.coding.codebook.services import add_code, hold_codebook
from coach.research.coding.judges import applied
from coach.research.coding.models import Adjudication, Code, CodeChange, Coding, Round

_Carried = tuple[list[str], list[dict[str, str]]]
"""Codings that moved, and those joined with one on the same span."""


def why_not_now(code: Code) -> str:
    """Return why the code's codings cannot move now; empty if they can."""
    waits = Round.objects.filter(
        study=code.study_id,
        state=Round.State.OPEN,
        codebook__document__contains=[{"guid": str(code.guid)}],
    ).first()
    if waits is None:
        return ""
    return _("Round %(number)s is using this code. Close the round first.") % {
        "number": waits.number
    }


@transaction.atomic
def merge_codes(*, code: Code, into: Code, actor: User) -> None:
    """Replace `code` by `into` in all codings.

    If a coder had coded a span with both, one coding stays and has both memos. Closed rounds keep
    their agreement: it is computed from the codes originally applied. Raises ValidationError if a
    round is open, or the two are not active codes of one study.
    """
    hold_codebook(code.study)
    _check(code, into)
    moved, same = _carry(Coding.objects.filter(code=code), into)
    Adjudication.objects.filter(code=code).update(code=into)
    Code.objects.filter(parent=code).update(parent=into)
    for theme in code.themes.all():
        theme.codes.add(into)
        theme.codes.remove(code)
    Code.objects.filter(pk=code.pk).update(state=Code.State.MERGED, merged_into=into)
    change = CodeChange(code=code, kind=CodeChange.Kind.MERGED, before={"state": code.state})
    _record(change, "research.codes_merged", into, (moved, same), actor)


@transaction.atomic
def replace_in_free_codings(*, code: Code, into: Code, actor: User) -> int:
    """Replace `code` by `into` in free codings only, also while a round uses it; return the number.

    Both codes stay. Raises ValidationError if the two are not active codes of one study.
    """
    hold_codebook(code.study)
    _check_two(code, into)
    moved, same = _carry(free_codings_of(code), into)
    change = CodeChange(code=code, kind=CodeChange.Kind.RECODED)
    _record(change, "research.codings_replaced", into, (moved, same), actor)
    return len(moved) + len(same)


def _record(change: CodeChange, action: str, into: Code, carried: _Carried, actor: User) -> None:
    """Record in the history and the log which codings went from the code of a change to another."""
    moved, same = carried
    change.after = {"into": into.name, "codings": moved, "same": same}
    change.by = actor
    change.save()
    change.others.add(into)
    record_act(
        action=action,
        target=change.code,
        actor=actor,
        name=change.code.name,
        into=into.name,
        codings=len(moved),
        same=len(same),
    )


def free_codings_of(code: Code) -> QuerySet[Coding]:
    """Return the codings with this code outside rounds."""
    return Coding.objects.filter(code=code, round__state=Round.State.FREE)


def _carry(codings: QuerySet[Coding], into: Code) -> _Carried:
    """Move codings to a code; return those moved, and those joined with one on the same span."""
    moved, same = [], []
    for coding in codings.order_by("pk"):
        twin = _twin(coding, into)
        if twin is None:
            _move(coding, into)
            moved.append(str(coding.guid))
        else:
            same.append({"guid": str(coding.guid), "kept": str(twin.guid), "memo": coding.memo})
            _join(coding, twin)
    return moved, same


def _check(code: Code, into: Code) -> None:
    """Raise ValidationError if a code cannot be merged now.

    The target may be in use by an open round: its codings there do not change.
    """
    if why_not_now(code):
        raise ValidationError(why_not_now(code))
    _check_two(code, into)
    at: Code | None = into
    while at is not None:
        if at.parent_id == code.pk:
            raise ValidationError(_("That code is below this one. Move it first."))
        at = at.parent


def _check_two(code: Code, into: Code) -> None:
    in_use = code.state != Code.State.MERGED and into.state == Code.State.ACTIVE
    if code.pk == into.pk or code.study_id != into.study_id or not in_use:
        raise ValidationError(_("Choose another code that is in use."))


def _twin(coding: Coding, into: Code) -> Coding | None:
    same = {name: getattr(coding, name) for name in ("round_id", "coder_id", "status")}
    return Coding.objects.filter(code=into, **same, **coding.place).first()


def _move(coding: Coding, into: Code) -> None:
    """Move a coding to another code, keeping the applied code, so that agreement does not
    change.
    """
    coding.coded_as = applied(coding)
    coding.code = into
    coding.save(update_fields=["code", "coded_as"])


def _join(coding: Coding, twin: Coding) -> None:
    if coding.memo and coding.memo not in twin.memo:
        twin.memo = "\n".join(part for part in (twin.memo, coding.memo) if part)
    twin.coded_as = sorted({*applied(twin), *applied(coding)})
    twin.save(update_fields=["memo", "coded_as"])
    Adjudication.objects.filter(coding=coding, coding__isnull=False).update(coding=None)
    coding.delete()


@transaction.atomic
def split_code(*, code: Code, names: list[str], actor: User) -> list[Code]:
    """Create the codes that a code is split into; its codings are sorted into them later.

    Raises ValidationError if a round is open or a name is taken.
    """
    hold_codebook(code.study)
    if why_not_now(code):
        raise ValidationError(why_not_now(code))
    taken = Code.objects.filter(study=code.study_id, name__in=names).values_list("name", flat=True)
    if taken:
        raise ValidationError(
            _("A code with this name already exists: %(names)s") % {"names": ", ".join(taken)}
        )
    made = [
        add_code(
            code=Code(study=code.study, parent=code.parent, name=name, colour=code.colour),
            actor=actor,
        )
        for name in names
    ]
    change = CodeChange.objects.create(
        code=code, kind=CodeChange.Kind.SPLIT, after={"into": names}, by=actor
    )
    change.others.set(made)
    record_act(action="research.code_split", target=code, actor=actor, name=code.name, into=names)
    return made


@transaction.atomic
def sort_codings(*, code: Code, into: Mapping[int, Code], actor: User) -> int:
    """Move codings (by key) of a split code to the new codes; return the number moved."""
    hold_codebook(code.study)
    if why_not_now(code):
        raise ValidationError(why_not_now(code))
    moved: dict[str, str] = {}
    for coding in Coding.objects.filter(code=code, pk__in=into):
        target = into[coding.pk]
        twin = _twin(coding, target)
        if twin is not None:
            _join(coding, twin)
        else:
            _move(coding, target)
            Adjudication.objects.filter(coding=coding).update(code=target)
        moved[str(coding.guid)] = target.name
    if moved:
        change = CodeChange.objects.create(
            code=code, kind=CodeChange.Kind.SPLIT, after={"codings": moved}, by=actor
        )
        change.others.set({target.pk for target in into.values()})
        record_act(
            action="research.codings_sorted",
            target=code,
            actor=actor,
            name=code.name,
            codings=len(moved),
        )
    return len(moved)


def parts_of(code: Code) -> list[Code]:
    """Return the codes that it was split into."""
    return list(
        Code.objects.filter(
            pk__in=code.changes.filter(kind=CodeChange.Kind.SPLIT).values("others"),
            state=Code.State.ACTIVE,
        )
    )
