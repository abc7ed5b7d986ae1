"""Codebooks as files of other tools: export of a version, import as a new one."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.lib.files.csv_tables import without_guard
from coach.lib.pages.plain_text import typed_note
from coach.lib.web.http import uuid_of
from coach.research.coding.codebook.services import hold_codebook
from coach.research.coding.codebook.versions import Document, keep_version
from coach.research.coding.erasing import EXPLAINED
from coach.research.coding.interviews.reading.encodings import decode
from coach.research.coding.models import Code
from coach.research.exports.bundle.scope import Included
from coach.research.exports.bundle.texts import code_tree
from coach.research.exports.formats.refi import write_codebook
from coach.research.exports.formats.taguette import write_taguette
from coach.research.exports.importing.refi.archive import Archive, NotRefi, root_of
from coach.research.exports.importing.refi.codes import keep_codes
from coach.research.exports.importing.refi.project import DEEPEST, CodeIn, guid_of, read_codebook
from coach.research.exports.models import BundleImport
from coach.research.studies.models import Study

MOST_BYTES: Final = 16 * 1024**2
MOST_CODES: Final = 3000
"""A codebook that people keep in their heads has a hundredth of that (rule of thumb)."""
_SAID: Final = (
    *("name", "description", "include_when", "exclude_when", "examples"),
    *("colour", "is_codable"),
)
_NAMES: Final = ("tag", "path", "name", "code")
"""What the column of names is called: Taguette's own, and what people call it."""


def as_file(document: Document, kind: str) -> bytes:
    """Return the active codes of a version: `qdc` is REFI-QDA, `csv` Taguette's format."""
    codes = list(_rows([each for each in document if each.get("state", "active") == "active"]))
    with tempfile.TemporaryDirectory(prefix="rostrum-codebook-") as folder:
        path = Path(folder) / "codebook"
        if kind == "qdc":
            write_codebook(code_tree(codes), path)
        else:
            write_taguette(codes, path)
        return path.read_bytes()


def as_it_may_leave(study: Study, document: Document) -> Document:
    """Return a version without quotes of people whose words may not be exported now."""
    included = Included(study=study, cut_off=timezone.now())
    return [
        each | {name: included.noted(each[name]) for name in EXPLAINED if name in each}
        for each in document
    ]


def _rows(codes: Sequence[dict[str, Any]]) -> Iterator[Code]:
    """Return unsaved codes as in a version; their keys are their positions."""
    places = {each["guid"]: place for place, each in enumerate(codes, start=1)}
    for each in codes:
        yield Code(
            pk=places[each["guid"]],
            guid=UUID(each["guid"]),
            parent_id=places.get(each.get("parent", "")),
            **{name: each[name] for name in _SAID if name in each},
        )


def codes_in(name: str, content: bytes) -> list[CodeIn]:
    """Return the codes of a .qdc, .qdpx or CSV file, whatever its name. Raises NotRefi."""
    if len(content) > MOST_BYTES:
        raise NotRefi(name)
    if content.startswith(b"PK\x03\x04"):
        codes = _in_project(content)
    elif b"<" in content[:400].replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \r\n\t")[:1]:
        codes = read_codebook(root_of(content, name))
    else:
        codes = list(_in_table(name, content))
    if not codes or len(codes) > MOST_CODES:
        raise NotRefi(name)
    return codes


def _in_project(content: bytes) -> list[CodeIn]:
    with Archive(content) as archive:
        return read_codebook(archive.project())


def _in_table(name: str, content: bytes) -> Iterator[CodeIn]:
    """Yield codes from rows of tag and description; dots make a tree, and pure branches are
    groups.
    """
    words, _encoding = decode(content)
    first = words.partition("\n")[0]
    mark = max(",;\t", key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(words, newline=""), delimiter=mark))
    except csv.Error as error:
        raise NotRefi(name) from error
    heads = [head.strip().casefold() for head in rows[0]] if rows else []
    column = next((heads.index(each) for each in _NAMES if each in heads), None)
    if column is None:
        raise NotRefi(name)
    about = heads.index("description") if "description" in heads else None
    said = {
        without_guard(row[column].strip()): (
            without_guard(row[about]) if about is not None and about < len(row) else ""
        )
        for row in rows[1:]
        if column < len(row) and row[column].strip()
    }
    yield from _tree(name, said)


def _tree(name: str, said: dict[str, str]) -> Iterator[CodeIn]:
    keys: dict[str, str] = {}
    for path in said:
        parts = [part.strip() for part in path.split(".") if part.strip()]
        if len(parts) > DEEPEST:
            raise NotRefi(name)
        for depth in range(len(parts)):
            here, above = ".".join(parts[: depth + 1]), ".".join(parts[:depth])
            if here in keys:
                continue
            keys[here] = str(uuid4())
            yield CodeIn(
                key=keys[here],
                parent=keys.get(above, ""),
                name=parts[depth],
                colour="",
                is_codable=here in said,
                description=said.get(here, ""),
                notes=(),
                depth=depth,
            )


def preview_of(study: Study, codes: Sequence[CodeIn]) -> list[dict[str, Any]]:
    """Return each code with its depth, and whether the study has it already."""
    there = Code.objects.filter(study=study).values_list("guid", "name")
    guids, names = {guid for guid, _name in there}, {name for _guid, name in there}
    return [
        {
            "name": code.name,
            "depth": min(code.depth, 5),
            "is_known": guid_of(code.key) in guids or " ".join(code.name.split()) in names,
        }
        for code in codes
    ]


def codes_found(asked: BundleImport) -> list[CodeIn]:
    """Return the codes that a worker read from a file."""
    return [CodeIn(**{**row, "notes": tuple(row["notes"])}) for row in asked.found["codes"]]


@transaction.atomic
def take_found_in(*, study: Study, key: str, actor: User) -> int:
    """Add the codes that a worker read from the user's file, once. Raises ValidationError."""
    mine = BundleImport.objects.select_for_update(of=("self",)).filter(
        study=study,
        asked_by=actor,
        kind=BundleImport.Kind.CODEBOOK,
        state=BundleImport.State.DONE,
    )
    sent = uuid_of(key)
    asked = mine.filter(pk=sent).first() if sent else None
    if asked is None:
        raise ValidationError(_("Choose the file again."))
    note = _("Imported from %(file)s") % {"file": typed_note(asked.name, most=200)}
    added = take_codebook_in(study=study, codes=codes_found(asked), note=note, actor=actor)
    asked.delete()
    return added


@transaction.atomic
def take_codebook_in(*, study: Study, codes: Sequence[CodeIn], note: str, actor: User) -> int:
    """Add codes that the study lacks and save a new version; return the number added.

    A code that exists already, by its GUID or its name, stays as it is. Raises ValidationError if
    nothing is new.
    """
    hold_codebook(study)
    before = Code.objects.filter(study=study).count()
    keep_codes(study, codes, actor)
    added = Code.objects.filter(study=study).count() - before
    version = keep_version(study=study, note=note[:500], actor=actor)
    record_act(
        action="research.codebook_loaded",
        target=study,
        actor=actor,
        added=added,
        in_file=len(codes),
        version=version.number,
    )
    return added
