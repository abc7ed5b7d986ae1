"""Services for one code: add, change, move, retire, remove."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.coding.models import Code, CodebookVersion, CodeChange
from coach.research.studies.models import Study

WORDS = (
    "name",
    "description",
    "include_when",
    "exclude_when",
    "examples",
    "colour",
    "is_codable",
    "shortcut",
    "state",
)
"""What a code says of itself; its place in the tree stands apart."""


def said_by(code: Code) -> dict[str, Any]:
    """Return a code's fields as JSON values."""
    return {name: getattr(code, name) for name in WORDS}


def hold_codebook(study: Study) -> None:
    """Lock the codebook until the transaction ends."""
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)


@transaction.atomic
def add_code(*, code: Code, actor: User | None) -> Code:
    """Add a code as the last of its siblings. Raises ValidationError for a taken name."""
    hold_codebook(code.study)
    _check_name(code)
    code.position = _siblings(code).count()
    code.save()
    CodeChange.objects.create(
        code=code, kind=CodeChange.Kind.ADDED, after={**said_by(code), **_place(code)}, by=actor
    )
    record_act(action="research.code_added", target=code, actor=actor, name=code.name)
    return code


@transaction.atomic
def change_code(*, code: Code, actor: User) -> None:
    """Save a changed code and its former fields. Raises ValidationError for a taken name."""
    hold_codebook(code.study)
    _check_name(code)
    before = Code.objects.get(pk=code.pk)
    is_moved = before.parent_id != code.parent_id
    if is_moved:
        code.position = _siblings(code).count()
    code.save()
    was, now = said_by(before), said_by(code)
    changed = [name for name in WORDS if was[name] != now[name]]
    if changed:
        _trace(
            code,
            CodeChange.Kind.CHANGED,
            {name: was[name] for name in changed},
            {name: now[name] for name in changed},
            actor,
        )
        record_act(
            action="research.code_changed", target=code, actor=actor, name=code.name, fields=changed
        )
    if is_moved:
        _trace(code, CodeChange.Kind.MOVED, _place(before), _place(code), actor)
        record_act(action="research.code_moved", target=code, actor=actor, name=code.name)


@transaction.atomic
def move_code(*, code: Code, by: int, actor: User) -> None:
    """Swap a code with the sibling before it (-1) or after it (1), if there is one."""
    hold_codebook(code.study)
    row = list(_siblings(code).order_by("position", "pk"))
    at = next(place for place, each in enumerate(row) if each.pk == code.pk)
    if not 0 <= at + by < len(row):
        return
    row[at], row[at + by] = row[at + by], row[at]
    for position, each in enumerate(row):
        each.position = position
    Code.objects.bulk_update(row, ["position"])
    _trace(code, CodeChange.Kind.MOVED, {"place": at + 1}, {"place": at + by + 1}, actor)
    record_act(action="research.code_moved", target=code, actor=actor, name=code.name)


@transaction.atomic
def retire_code(*, code: Code, actor: User) -> None:
    """Retire a code: it is no longer offered; its codings stay."""
    _set_state(code, Code.State.ACTIVE, Code.State.RETIRED, actor)


@transaction.atomic
def restore_code(*, code: Code, actor: User) -> None:
    """Offer a retired code again."""
    _set_state(code, Code.State.RETIRED, Code.State.ACTIVE, actor)


def _set_state(code: Code, was: str, becomes: str, actor: User) -> None:
    hold_codebook(code.study)
    if not Code.objects.filter(pk=code.pk, state=was).update(state=becomes):
        return
    kind = CodeChange.Kind.RETIRED if becomes == Code.State.RETIRED else CodeChange.Kind.CHANGED
    _trace(code, kind, {"state": was}, {"state": becomes}, actor)
    retires = becomes == Code.State.RETIRED
    action = "research.code_retired" if retires else "research.code_restored"
    record_act(action=action, target=code, actor=actor, name=code.name)


@transaction.atomic
def remove_code(*, code: Code, actor: User) -> None:
    """Delete an unused code. Raises ValidationError if it is in use."""
    hold_codebook(code.study)
    if why_it_stays(code):
        raise ValidationError(why_it_stays(code))
    record_act(action="research.code_removed", target=code, actor=actor, name=code.name)
    code.delete()


def why_it_stays(code: Code) -> str:
    """Return why a code cannot be deleted; empty if it can."""
    versions = CodebookVersion.objects.filter(
        study=code.study_id, document__contains=[{"guid": str(code.guid)}]
    )
    if versions.exists():
        return _("This code is part of a saved codebook version. Retire it instead.")
    if code.codings.exists():
        return _("This code has been used. Retire it instead, or merge it into another code.")
    if code.children.exists() or code.merged_from.exists():
        return _("This code has codes below it. Move them first.")
    return ""


def _check_name(code: Code) -> None:
    """Raise ValidationError if another code has the name, perhaps since the form was checked."""
    others = Code.objects.filter(study=code.study_id).exclude(pk=code.pk)
    if others.filter(name=code.name).exists():
        raise ValidationError({"name": _("Another code already has this name.")})


def _siblings(code: Code) -> Any:
    return Code.objects.filter(study=code.study_id, parent=code.parent_id)


def _place(code: Code) -> dict[str, str]:
    return {"parent": code.parent.name if code.parent else ""}


def _trace(
    code: Code, kind: str, before: dict[str, Any], after: dict[str, Any], actor: User | None
) -> None:
    CodeChange.objects.create(code=code, kind=kind, before=before, after=after, by=actor)
