"""Validation of project and codebook files against the REFI-QDA schema.

Some parsers accept invalid files, and some misread valid ones; so every exported file is compared
with what we write: order of elements, attributes, GUIDs, colours, references.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from coach.research.exports.bundle.guard.cells import COLOUR, GUID
from coach.research.exports.bundle.guard.problem import BROKEN, BundleProblem
from coach.research.exports.formats.refi import CODEBOOK, PROJECT

_CHILDREN: Final[dict[str, tuple[str, ...]]] = {
    "Project": ("Users", "CodeBook", "Variables", "Cases", "Sources", "Notes", "Sets", "NoteRef"),
    "CodeBook": ("Codes",),
    "Users": ("User",),
    "Codes": ("Code",),
    "Code": ("Description", "NoteRef", "Code"),
    "Variables": ("Variable",),
    "Cases": ("Case",),
    "Case": ("VariableValue", "SourceRef"),
    "VariableValue": ("VariableRef", "TextValue"),
    "Sources": ("TextSource",),
    "TextSource": ("PlainTextSelection", "NoteRef", "VariableValue"),
    "PlainTextSelection": ("Coding",),
    "Coding": ("CodeRef", "NoteRef"),
    "Notes": ("Note",),
    "Sets": ("Set",),
    "Set": ("Description", "MemberCode"),
}
"""The elements that we write: their children, in order."""
_LISTS: Final = {"Users", "Codes", "Variables", "Cases", "Sources", "Notes", "Sets"}
"""Elements with at least one child: empty lists are left out."""
_MADE: Final = ("creatingUser", "creationDateTime")
_NEEDED: Final[dict[str, tuple[str, ...]]] = {
    "Project": ("name", "origin"),
    "CodeBook": (),
    "User": ("guid", "name"),
    "Code": ("guid", "name", "isCodable"),
    "Variable": ("guid", "name", "typeOfVariable"),
    "Case": ("guid", "name"),
    "Set": ("guid", "name"),
    "TextSource": ("guid", "name", "plainTextPath"),
    "PlainTextSelection": ("guid", "name", "startPosition", "endPosition", *_MADE),
    "Coding": ("guid", *_MADE),
    "Note": ("guid", "name", "plainTextPath", *_MADE),
    **dict.fromkeys(
        ("CodeRef", "NoteRef", "SourceRef", "VariableRef", "MemberCode"), ("targetGUID",)
    ),
}
_MAY: Final[dict[str, tuple[str, ...]]] = {"Code": ("color",), "CodeBook": ("origin",)}
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?")
_POSITION: Final = re.compile(r"[0-9]{1,9}")


def odd_projects(folder: Path) -> Iterator[BundleProblem]:
    """Yield the problems of qda/project.qdpx and qda/codebook.qdc."""
    project, codebook = folder / "qda" / "project.qdpx", folder / "qda" / "codebook.qdc"
    if codebook.exists():
        yield from _told("qda/codebook.qdc", codebook.read_bytes(), CODEBOOK, frozenset())
    if project.exists():
        with zipfile.ZipFile(project) as archive:
            names = frozenset(archive.namelist())
            content = archive.read("project.qde")
        yield from _told("qda/project.qdpx, project.qde", content, PROJECT, names)


def _told(
    place: str, content: bytes, namespace: str, files: frozenset[str]
) -> Iterator[BundleProblem]:
    try:
        root = ET.fromstring(content)  # noqa: S314  # ours: it was written a moment ago
    except ET.ParseError:
        yield BundleProblem(BROKEN, place, "XML")
        return
    prefix = f"{{{namespace}}}"
    elements = list(root.iter())
    if any(not element.tag.startswith(prefix) for element in elements):
        yield BundleProblem(BROKEN, place, "xmlns")
        return
    for element in elements:
        yield from (BundleProblem(BROKEN, place, what) for what in _odd(element, prefix, files))
    yield from (BundleProblem(BROKEN, place, what) for what in _dangling(elements))


def _dangling(elements: list[ET.Element]) -> Iterator[str]:
    """Yield duplicate GUIDs and dangling references."""
    guids = [element.attrib["guid"] for element in elements if "guid" in element.attrib]
    there = set(guids)
    if len(there) < len(guids):
        yield "guid"
    for element in elements:
        for name in ("targetGUID", "creatingUser"):
            if name in element.attrib and element.attrib[name] not in there:
                yield name


def _odd(element: ET.Element, prefix: str, files: frozenset[str]) -> Iterator[str]:
    tag = element.tag.removeprefix(prefix)
    order = _CHILDREN.get(tag, ())
    children = [child.tag.removeprefix(prefix) for child in element]
    places = [order.index(child) if child in order else -1 for child in children]
    if places != sorted(places) or -1 in places or (tag in _LISTS and not children):
        yield tag
    needed, there = set(_NEEDED.get(tag, ())), set(element.attrib)
    if not needed <= there <= needed | set(_MAY.get(tag, ())):
        yield f"{tag}: attributes"
    for name, value in element.attrib.items():
        if not _is_right(name, value, files):
            yield f"{tag}: {name}"


def _is_right(name: str, value: str, files: frozenset[str]) -> bool:
    if name in {"guid", "targetGUID", "creatingUser"}:
        return GUID.fullmatch(value) is not None
    if name == "color":
        return COLOUR.fullmatch(value) is not None
    if name in {"startPosition", "endPosition"}:
        return _POSITION.fullmatch(value) is not None
    if name == "isCodable":
        return value in {"true", "false"}
    if name == "plainTextPath":
        return f"sources/{value.removeprefix('internal://')}" in files
    return not name.endswith("DateTime") or _DATE.fullmatch(value) is not None
