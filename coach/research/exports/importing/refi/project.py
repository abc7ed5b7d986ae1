"""Parsing of a project's XML, in any namespace, order and spelling of GUIDs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import NAMESPACE_URL, UUID, uuid5
from xml.etree.ElementTree import Element

from coach.research.exports.importing.refi.archive import NotRefi

_NOT_TAKEN_IN = (
    "Link",
    "Graph",
    "PictureSource",
    "AudioSource",
    "VideoSource",
    "PDFSource",
)
DEEPEST = 100
"""No codebook nests deeper; a deeper one is an attack (rule of thumb)."""
_MOST_TEXTS = 20_000
_MOST_NOTES = 100
"""Limit for one selection. Rules of thumb, as are the limits of texts and attributes."""
_MOST_ATTRIBUTES = 100
_MOST_VALUES = 200
"""Limit of variables of one case or text."""
_MODEL = re.compile(
    r"\b(?:AI|KI|IA|LLM|GPT[\w.-]*)\b"
    r"|(?i:\b(?:chatgpt|copilot|chat ?bot|language model|modèle de langage|auto-?cod(?:er|ing))\b)"
)
"""Usual names of automatic coders; names of people do not match."""
_ON_MEDIA = {"PictureSelection", "PDFSelection", "AudioSelection", "VideoSelection"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedCode:
    """A code; `parent` is its parent's GUID, as a key."""

    key: str
    parent: str
    name: str
    colour: str
    is_codable: bool
    description: str
    notes: tuple[str, ...]
    depth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedCoding:
    """A coding at offsets as the tool counted them, or of a whole text.

    `start` and `end` are None for a whole text, and for a selection without offsets: a point of a
    transcript may only have a time.
    """

    guid: str
    code: str
    user: str
    start: int | None
    end: int | None
    is_whole: bool
    quote: str
    at: str = ""
    memo: str
    notes: tuple[str, ...]
    """Its own notes, and those of its selection, which all of its codings share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedText:
    """A text: inline, in a file, or only as a styled document."""

    key: str
    source: str
    """Its source, to which cases refer; for a document or recording not its own key."""
    name: str
    inline: str | None
    plain_path: str
    rich_path: str
    user: str
    held: str
    description: str
    notes: tuple[str, ...]
    codings: tuple[ImportedCoding, ...]
    loose: tuple[str, ...]
    """Notes on selections without codings."""
    n_uncoded: int
    """Selections without codings."""
    values: tuple[tuple[str, str], ...]
    """Variables by key, with their values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedNote:
    """A memo."""

    key: str
    name: str
    inline: str | None
    plain_path: str
    user: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedSet:
    """A set of codes, which becomes a theme."""

    key: str
    name: str
    description: str
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedCase:
    """A case, usually a person, with its variables (by key) and the sources that it refers to."""

    name: str
    description: str
    values: tuple[tuple[str, str], ...]
    sources: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class ParsedProject:
    """The parsed content of a project."""

    origin: str
    user: str
    users: list[str] = field(default_factory=list)
    models: dict[str, str] = field(default_factory=dict)
    """Names of users that look like a model, by their keys."""
    codes: list[ImportedCode] = field(default_factory=list)
    texts: list[ImportedText] = field(default_factory=list)
    notes: list[ImportedNote] = field(default_factory=list)
    sets: list[ImportedSet] = field(default_factory=list)
    """Sets of codes; sets of texts only are not supported."""
    variables: dict[str, str] = field(default_factory=dict)
    """Names of variables by key."""
    cases: list[ImportedCase] = field(default_factory=list)
    own_notes: tuple[str, ...] = ()
    description: str = ""
    n_codings: int = 0
    """All codings in the file, also those not on text."""
    n_on_media: int = 0
    others: Counter[str] = field(default_factory=Counter)
    """Numbers of unsupported elements."""


def guid_of(key: str) -> UUID:
    """Return the GUID in a key; for an invalid one, a deterministic GUID."""
    try:
        return UUID(key)
    except ValueError:
        return uuid5(NAMESPACE_URL, f"refi:{key}")


def read_project(root: Element) -> ParsedProject:
    """Parse a project. Raises NotRefi if the root is not one."""
    if _tag(root) != "Project":
        raise NotRefi("project.qde")
    user = _key(_get(root, "creatingUserGUID") or _get(root, "creatingUser"))
    project = ParsedProject(origin=_get(root, "origin"), user=user, description=_said(root))
    project.own_notes = _notes(root)
    _count(project, root)
    readers = {
        "CodeBook": lambda part: project.codes.extend(read_codes(part)),
        "Sources": lambda part: _sources(project, part),
        "Notes": lambda part: project.notes.extend(map(_note, part)),
        "Sets": lambda part: _sets(project, part),
        "Variables": lambda part: project.variables.update(map(_variable, part)),
        "Cases": lambda part: project.cases.extend(map(_case, part)),
    }
    for part in root:
        if reader := readers.get(_tag(part)):
            reader(part)
    return project


def _sources(project: ParsedProject, sources: Element) -> None:
    project.texts += [text for source in sources for text in _texts_of(source)]
    if len(project.texts) > _MOST_TEXTS:
        raise NotRefi("project.qde, Sources")


def _variable(element: Element) -> tuple[str, str]:
    return _key(_get(element, "guid")), _get(element, "name")


def _count(project: ParsedProject, root: Element) -> None:
    """Count users, codings and unsupported elements anywhere in the file."""
    for element in root.iter():
        tag = _tag(element)
        if len(element.attrib) > _MOST_ATTRIBUTES:
            raise NotRefi(f"project.qde, {tag}"[:120])
        if tag == "User":
            key, name = _key(_get(element, "guid")), _get(element, "name").strip()
            project.users.append(key)
            if _MODEL.search(name):
                project.models[key] = name
        elif tag == "Coding":
            project.n_codings += 1
        elif tag in _NOT_TAKEN_IN:
            project.others[tag] += 1
        elif tag in _ON_MEDIA:
            project.n_on_media += sum(_tag(child) == "Coding" for child in element)


def _sets(project: ParsedProject, sets: Element) -> None:
    """Add the sets of codes; texts in a set are not part of a theme."""
    for element in sets:
        codes = [_key(_get(e, "targetGUID")) for e in element if _tag(e) == "MemberCode"]
        if not codes:
            project.others["Set"] += 1
            continue
        key, name = _key(_get(element, "guid")), _get(element, "name")
        found = ImportedSet(key=key, name=name, description=_said(element), codes=tuple(codes))
        project.sets.append(found)
        project.others["MemberSource"] += sum(_tag(e) == "MemberSource" for e in element)


def _case(element: Element) -> ImportedCase:
    return ImportedCase(
        name=_get(element, "name"),
        description=_said(element),
        values=_values(element),
        sources=tuple(_key(_get(e, "targetGUID")) for e in element if _tag(e) == "SourceRef"),
    )


def _values(element: Element) -> tuple[tuple[str, str], ...]:
    """Return the variables of a case or source with their values of any type."""
    found: list[tuple[str, str]] = []
    for each in element:
        if _tag(each) == "VariableValue":
            keys = [_key(_get(e, "targetGUID")) for e in each if _tag(e) == "VariableRef"]
            values = [(e.text or "").strip() for e in each if _tag(e) != "VariableRef"]
            found += zip(keys, values, strict=False)
    return tuple(found[:_MOST_VALUES])


def _tag(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _get(element: Element, name: str) -> str:
    if name in element.attrib:
        return element.attrib[name]
    return next((v for key, v in element.attrib.items() if key.rpartition("}")[2] == name), "")


def _key(guid: str) -> str:
    """Return a GUID in a uniform spelling, without braces and in lower case."""
    plain = guid.strip().strip("{}").lower()
    try:
        return str(UUID(plain))
    except ValueError:
        return plain


def _said(element: Element) -> str:
    found = (child.text for child in element if _tag(child) == "Description")
    return (next(found, "") or "").strip()


def _notes(element: Element) -> tuple[str, ...]:
    return tuple(_key(_get(e, "targetGUID")) for e in element if _tag(e) == "NoteRef")


def read_codebook(root: Element) -> list[ImportedCode]:
    """Return the codes of a codebook or project file, in any namespace. Raises NotRefi."""
    books = [root] if _tag(root) == "CodeBook" else [e for e in root if _tag(e) == "CodeBook"]
    if not books:
        raise NotRefi("CodeBook")
    return [code for book in books for code in read_codes(book)]


def read_codes(book: Element) -> list[ImportedCode]:
    """Return codes in order, parents first. Raises NotRefi if they nest too deep."""
    lists = [child for child in book if _tag(child) == "Codes"]
    return [code for each in (*lists, book) for code in _codes(each, "", 0)]


def _codes(element: Element, parent: str, depth: int) -> Iterator[ImportedCode]:
    if depth > DEEPEST:
        raise NotRefi("CodeBook")
    for child in element:
        if _tag(child) != "Code":
            continue
        key = _key(_get(child, "guid"))
        yield ImportedCode(
            key=key,
            parent=parent,
            name=_get(child, "name"),
            colour=_get(child, "color"),
            is_codable=_get(child, "isCodable").lower() not in {"false", "0"},
            description=_said(child),
            notes=_notes(child),
            depth=depth,
        )
        yield from _codes(child, key, depth + 1)


def _texts(source: Element) -> Iterator[Element]:
    """Yield the source itself, or the text of a document or recording."""
    if _tag(source) == "TextSource":
        yield source
    yield from (each for each in source if _tag(each) in {"Representation", "Transcript"})


def _texts_of(source: Element) -> Iterator[ImportedText]:
    """Yield the texts of a source; its description, notes and variables go to the first one."""
    description, notes, values = _said(source), _notes(source), _values(source)
    for element in _texts(source):
        own = _notes(element) if element is not source else ()
        yield _text(element, source, description, (*notes, *own), values)
        description, notes, values = "", (), ()


def _text(
    element: Element,
    source: Element,
    description: str,
    notes: tuple[str, ...],
    values: tuple[tuple[str, str], ...],
) -> ImportedText:
    syncs = {
        _key(_get(each, "guid")): _number(_get(each, "position"))
        for each in element
        if _tag(each) == "SyncPoint"
    }
    codings: list[ImportedCoding] = []
    loose: list[str] = []
    n_uncoded = 0
    for each in element:
        if _tag(each) == "Coding":
            codings.append(_coding(each, element))
        if _tag(each) == "PlainTextSelection":
            start, end = (_number(_get(each, f"{side}Position")) for side in ("start", "end"))
        elif _tag(each) == "TranscriptSelection":
            start, end = (syncs.get(_key(_get(each, f"{s}SyncPoint"))) for s in ("from", "to"))
        else:
            continue
        around = _Selection(each, start, end)
        found = [_coding(e, each, around) for e in each if _tag(e) == "Coding"]
        codings += found
        loose += () if found else around.notes
        n_uncoded += not found
    inline = next((e.text or "" for e in element if _tag(e) == "PlainTextContent"), None)
    return ImportedText(
        key=_key(_get(element, "guid") or _get(source, "guid")),
        source=_key(_get(source, "guid")),
        name=_get(source, "name") or _get(element, "name"),
        inline=inline,
        plain_path=_get(element, "plainTextPath"),
        rich_path=_get(element, "richTextPath"),
        user=_key(_get(source, "creatingUser")),
        held=_get(source, "creationDateTime"),
        description=description,
        notes=notes,
        codings=tuple(codings),
        loose=tuple(loose),
        n_uncoded=n_uncoded,
        values=values,
    )


class _Selection:
    """A selection, read once for all of its codings."""

    def __init__(self, element: Element, start: int | None, end: int | None) -> None:
        self.start, self.end = start, end
        self.quote, self.memo, self.notes = _get(element, "name"), _said(element), _notes(element)


def _coding(element: Element, around: Element, stretch: _Selection | None = None) -> ImportedCoding:
    ref = next((e for e in element if _tag(e) == "CodeRef"), None)
    notes = (*_notes(element), *(stretch.notes if stretch else ()))
    if stretch and len(notes) > _MOST_NOTES:
        raise NotRefi("project.qde, NoteRef")
    return ImportedCoding(
        guid=_key(_get(element, "guid")),
        code=_key(_get(ref, "targetGUID")) if ref is not None else "",
        user=_key(_get(element, "creatingUser") or _get(around, "creatingUser")),
        start=stretch.start if stretch else None,
        end=stretch.end if stretch else None,
        is_whole=stretch is None,
        quote=stretch.quote if stretch else "",
        at=_get(element, "creationDateTime") or _get(around, "creationDateTime"),
        memo=stretch.memo if stretch else "",
        notes=notes,
    )


def _note(element: Element) -> ImportedNote:
    inline = next((e.text or "" for e in element if _tag(e) == "PlainTextContent"), None)
    return ImportedNote(
        key=_key(_get(element, "guid")),
        name=_get(element, "name"),
        inline=inline if inline is not None else _said(element) or None,
        plain_path=_get(element, "plainTextPath"),
        user=_key(_get(element, "creatingUser")),
    )


def _number(text: str) -> int | None:
    try:
        return int(text.strip())
    except ValueError:
        return None
