"""REFI-QDA 1.5: a project for import by other qualitative analysis tools, and its codebook.

The schema fixes the order of children, and a list needs at least one: empty ones are left out.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from coach.research.exports.formats.xml import XmlWriter
from coach.research.exports.names import derived_guid
from coach.research.exports.zipping import zip_files

PROJECT = "urn:QDA-XML:project:1.0"
CODEBOOK = "urn:QDA-XML:codebook:1.0"
ORIGIN = "Rostrum"
_LONGEST_QUOTE = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeNode:
    """A code with its descendants."""

    guid: UUID
    name: str
    is_codable: bool
    colour: str = ""
    description: str = ""
    notes: tuple[UUID, ...] = ()
    children: tuple[CodeNode, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectCoding:
    """A coding: half-open, in code points of its text."""

    guid: UUID
    code: UUID
    coder: UUID
    start: int
    end: int
    at: datetime
    memo: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectText:
    """A text with its codings, variables and notes."""

    guid: UUID
    name: str
    words: str
    codings: Sequence[ProjectCoding]
    variables: Mapping[str, str]
    notes: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectNote:
    """A memo."""

    guid: UUID
    name: str
    coder: UUID
    words: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectCase:
    """A person, by pseudonym, with their texts."""

    guid: UUID
    name: str
    variables: Mapping[str, str]
    texts: tuple[UUID, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSet:
    """A theme, as a set of codes; its newest memo is the description."""

    guid: UUID
    name: str
    description: str
    codes: tuple[UUID, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectContent:
    """The content of a project file."""

    name: str
    coders: Sequence[tuple[UUID, str]]
    codes: Sequence[CodeNode]
    variables: Mapping[str, UUID]
    cases: Sequence[ProjectCase]
    texts: Sequence[ProjectText]
    notes: Sequence[ProjectNote] = field(default=())
    study_notes: Sequence[UUID] = field(default=())
    sets: Sequence[ProjectSet] = field(default=())


def write_codebook(codes: Sequence[CodeNode], path: Path) -> None:
    """Write codebook.qdc: codes with colours and descriptions; the format has no memos."""
    with path.open("wb") as file:
        writer = XmlWriter(file)
        with writer.element("CodeBook", xmlns=CODEBOOK, origin=ORIGIN), writer.element("Codes"):
            for code in codes:
                _code(writer, code, has_notes=False)


def write_project(project: ProjectContent, path: Path, scratch: Path) -> None:
    """Write project.qdpx: project.qde, and the texts in sources/, in lower case as all
    readers need.
    """
    shutil.rmtree(scratch, ignore_errors=True)
    (scratch / "sources").mkdir(parents=True)
    with (scratch / "project.qde").open("wb") as file:
        _project(XmlWriter(file), project)
    for guid, words in _sources(project):
        source = scratch / "sources" / f"{guid}.txt"
        source.write_text(words, encoding="utf-8", newline="\n")
    sources = sorted(each.name for each in (scratch / "sources").iterdir())
    zip_files(path, scratch, ["project.qde", *(f"sources/{name}" for name in sources)])
    shutil.rmtree(scratch)


def _sources(project: ProjectContent) -> Iterator[tuple[UUID, str]]:
    for text in project.texts:
        yield text.guid, text.words
        for coding in text.codings:
            if coding.memo:
                yield memo_guid(coding.guid), coding.memo
    for note in project.notes:
        yield note.guid, note.words


def memo_guid(coding: UUID) -> UUID:
    """Return the GUID of the note with the memo of a coding."""
    return derived_guid(coding, "memo")


def _project(writer: XmlWriter, project: ProjectContent) -> None:
    with writer.element("Project", xmlns=PROJECT, name=project.name, origin=ORIGIN):
        _users(writer, project)
        if project.codes:
            with writer.element("CodeBook"), writer.element("Codes"):
                for code in project.codes:
                    _code(writer, code, has_notes=True)
        if project.variables:
            with writer.element("Variables"):
                for name, guid in project.variables.items():
                    writer.leaf("Variable", guid=guid, name=name, typeOfVariable="Text")
        _cases(writer, project)
        if project.texts:
            with writer.element("Sources"):
                for text in project.texts:
                    _text(writer, text, project.variables)
        _notes(writer, project)
        _sets(writer, project)
        for note in project.study_notes:
            writer.leaf("NoteRef", targetGUID=note)


def _sets(writer: XmlWriter, project: ProjectContent) -> None:
    if not project.sets:
        return
    with writer.element("Sets"):
        for each in project.sets:
            with writer.element("Set", guid=each.guid, name=each.name):
                if each.description:
                    writer.leaf("Description", each.description)
                for code in each.codes:
                    writer.leaf("MemberCode", targetGUID=code)


def _users(writer: XmlWriter, project: ProjectContent) -> None:
    if project.coders:
        with writer.element("Users"):
            for guid, name in project.coders:
                writer.leaf("User", guid=guid, name=name)


def _code(writer: XmlWriter, code: CodeNode, *, has_notes: bool) -> None:
    attributes = {
        "guid": code.guid,
        "name": code.name,
        "isCodable": "true" if code.is_codable else "false",
        "color": code.colour or None,
    }
    with writer.element("Code", **attributes):
        if code.description:
            writer.leaf("Description", code.description)
        for note in code.notes if has_notes else ():
            writer.leaf("NoteRef", targetGUID=note)
        for child in code.children:
            _code(writer, child, has_notes=has_notes)


def _cases(writer: XmlWriter, project: ProjectContent) -> None:
    if not project.cases:
        return
    with writer.element("Cases"):
        for case in project.cases:
            with writer.element("Case", guid=case.guid, name=case.name):
                _values(writer, case.variables, project.variables)
                for text in case.texts:
                    writer.leaf("SourceRef", targetGUID=text)


def _text(writer: XmlWriter, text: ProjectText, variables: Mapping[str, UUID]) -> None:
    path = f"internal://{text.guid}.txt"
    with writer.element("TextSource", guid=text.guid, name=text.name, plainTextPath=path):
        for coding in text.codings:
            made = {"creatingUser": coding.coder, "creationDateTime": _time(coding.at)}
            selection = {
                "guid": derived_guid(coding.guid, "selection"),
                "name": quote_name(text.words[coding.start : coding.end]),
                "startPosition": coding.start,
                "endPosition": coding.end,
                **made,
            }
            with (
                writer.element("PlainTextSelection", **selection),
                writer.element("Coding", guid=coding.guid, **made),
            ):
                writer.leaf("CodeRef", targetGUID=coding.code)
                if coding.memo:
                    writer.leaf("NoteRef", targetGUID=memo_guid(coding.guid))
        for note in text.notes:
            writer.leaf("NoteRef", targetGUID=note)
        _values(writer, text.variables, variables)


def quote_name(words: str) -> str:
    """Return the name of a selection, by which tools list it: its first words on one line."""
    return " ".join(words.split())[:_LONGEST_QUOTE].rstrip() or "…"


def _time(at: datetime) -> str:
    """Return a time in UTC, to the second."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _values(writer: XmlWriter, values: Mapping[str, str], variables: Mapping[str, UUID]) -> None:
    for name, value in values.items():
        with writer.element("VariableValue"):
            writer.leaf("VariableRef", targetGUID=variables[name])
            writer.leaf("TextValue", value)


def _notes(writer: XmlWriter, project: ProjectContent) -> None:
    memos = [
        (memo_guid(coding.guid), "memo", coding.coder, coding.at)
        for text in project.texts
        for coding in text.codings
        if coding.memo
    ]
    notes: Iterable[tuple[UUID, str, UUID, datetime]] = [
        *memos,
        *((note.guid, note.name, note.coder, note.at) for note in project.notes),
    ]
    notes = sorted(notes)
    if not notes:
        return
    with writer.element("Notes"):
        for guid, name, coder, at in notes:
            writer.leaf(
                "Note",
                guid=guid,
                name=name,
                plainTextPath=f"internal://{guid}.txt",
                creatingUser=coder,
                creationDateTime=_time(at),
            )
