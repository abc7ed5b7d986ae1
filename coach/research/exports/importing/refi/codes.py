"""Import of a project's code tree, with unique names and six-digit colours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from coach.accounts.models import User
from coach.lib.pages.plain_text import storable
from coach.research.coding.codebook.services import said_by
from coach.research.coding.models import Code, CodeChange
from coach.research.exports.importing.refi.project import CodeIn, guid_of
from coach.research.studies.models import Study

_LABELS: Final = ("Use it when: ", "Do not use it when: ", "Examples: ")
_OWN_PARTS: Final = re.compile(rf"(?:^|(?<=\s))({'|'.join(_LABELS)})")
_MOST_NAME: Final = 120
_MOST_NUMBER: Final = 10
"""A blank, brackets and the digits that tell names apart."""
_MOST_WORDS: Final = 4000
_COLOUR: Final = re.compile(r"#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")


def keep_codes(
    study: Study, codes: Sequence[CodeIn], actor: User | None
) -> tuple[dict[str, Code], list[list[str]]]:
    """Import codes; return them by key, and the changes made to them.

    A code that the study has already, by its GUID or its name, is reused.
    """
    there = list(Code.objects.filter(study=study))
    by_guid = {code.guid: code for code in there}
    by_name = {code.name: code for code in there}
    found: dict[str, Code] = {}
    told: list[list[str]] = []
    used = dict.fromkeys(by_name, 1)
    # Level by level: a code is saved after its parent.
    for depth in range(max((code.depth for code in codes), default=-1) + 1):
        fresh: list[Code] = []
        for place, said in enumerate(codes):
            if said.depth != depth or said.key in found:
                continue
            known = by_guid.get(guid_of(said.key)) or by_name.get(_name(said))
            if known is None:
                known = _made(study, said, found.get(said.parent), place, used, told)
                fresh.append(known)
            found[said.key] = known
        Code.objects.bulk_create(fresh)
        CodeChange.objects.bulk_create(
            CodeChange(code=code, kind=CodeChange.Kind.ADDED, after=said_by(code), by=actor)
            for code in fresh
        )
    return found, told


def _name(said: CodeIn) -> str:
    return " ".join(storable(said.name).split()) or f"Code {said.key[:8]}"


def _made(
    study: Study,
    said: CodeIn,
    parent: Code | None,
    place: int,
    used: dict[str, int],
    told: list[list[str]],
) -> Code:
    full = _name(said)
    name = begun = full[:_MOST_NAME]
    while name in used:
        used[begun] += 1
        name = f"{full[: _MOST_NAME - _MOST_NUMBER]} ({used[begun]})"
    used[name] = 1
    if name != full:
        told.append(["refi_renamed", name, full])
    words = storable(said.description)
    if len(words) > _MOST_WORDS:
        told.append(["refi_shortened", name, str(len(words) - _MOST_WORDS)])
    description, *rules = said_apart(words[:_MOST_WORDS])
    return Code(
        study=study,
        guid=guid_of(said.key),
        parent=parent,
        position=place,
        name=name,
        description=description,
        include_when=rules[0],
        exclude_when=rules[1],
        examples=rules[2],
        colour=_colour(said.colour, name, told),
        is_codable=said.is_codable,
    )


def said_apart(words: str) -> tuple[str, str, str, str]:
    """Split a description into meaning, inclusion, exclusion and examples, as our files
    join them.
    """
    parts = _OWN_PARTS.split(words)
    found = dict(zip(parts[1::2], parts[2::2], strict=True))
    first, *rest = (parts[0], *(found.get(label, "") for label in _LABELS))
    return first.strip(), rest[0].strip(), rest[1].strip(), rest[2].strip()


def _colour(said: str, name: str, told: list[list[str]]) -> str:
    """Return a six-digit colour for #RGB and #RRGGBBAA; an invalid one is dropped and reported."""
    found = _COLOUR.fullmatch(said.strip())
    if not found:
        if said.strip():
            told.append(["refi_colour", name, said])
        return ""
    digits = found[1].lower()
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    if len(digits) == 8:
        told.append(["refi_colour", name, said])
    return f"#{digits[:6]}"
