"""The editor's page, as plain values for the templates."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from coach.curation.editor.adapting import Stale, missing_range
from coach.curation.editor.checking import Check
from coach.curation.editor.fields import Choices, Field, Path, id_of, shown
from coach.curation.editor.layout import FieldGroup, Section
from coach.curation.editor.sections import sections

Document = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """A field with its value and problems."""

    field: Field
    value: Any
    problems: tuple[str, ...]

    @property
    def described_by(self) -> str:
        """The ids of the field's help text and problems, for `aria-describedby`."""
        own = f"{self.field.id}-problems"
        return f"{self.field.id}-help {own}" if self.field.help else own

    @property
    def options(self) -> SafeString:
        """The options of a select."""
        return options_of(self.field.choices, self.value)


@lru_cache(maxsize=1024)
def options_of(choices: Choices, chosen: str = "") -> SafeString:
    """Return the options of a select as HTML. A form has dozens of selects with all metrics."""
    options = ((code, " selected" if code == chosen else "", words) for code, words in choices)
    return format_html_join("", '<option value="{}"{}>{}</option>', options)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    """A group with its fields and problems; `problem` is why a case fails."""

    group: FieldGroup
    fields: tuple[FieldView, ...]
    groups: tuple[GroupView, ...]
    problem: str = ""
    stale: bool = False
    give_range: str = ""
    """The action that adds the range that a case needs to pass; empty if none is missing."""
    range_of: str = ""
    problems: tuple[str, ...] = ()

    @property
    def index(self) -> str:
        """The index of a case, as text."""
        return str(self.group.row[-1]) if self.group.row else ""

    @property
    def id(self) -> str:
        """The id on the page, if the group is a row."""
        return f"row-{id_of(self.group.row)}"

    @property
    def rows(self) -> Iterator[GroupView]:
        """All rows in the group, including the group itself if it is a row."""
        if self.group.row:
            yield self
        for inner in self.groups:
            yield from inner.rows


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionView:
    """A section with its groups and its number of problems."""

    section: Section
    groups: tuple[GroupView, ...]
    problems: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorPage:
    """The whole form, with its document as hidden JSON."""

    document: str
    sections: tuple[SectionView, ...]
    check: Check
    stale: Stale

    @property
    def fields(self) -> Iterator[FieldView]:
        """All fields of all sections."""
        for section in self.sections:
            for group in section.groups:
                yield from _fields_in(group)

    @property
    def rows(self) -> Iterator[GroupView]:
        """All rows that can be copied or removed."""
        for section in self.sections:
            for group in section.groups:
                yield from group.rows


def _fields_in(group: GroupView) -> Iterator[FieldView]:
    yield from group.fields
    for inner in group.groups:
        yield from _fields_in(inner)


def editor_page(document: Document, check: Check, stale: Stale) -> EditorPage:
    """Return the form for a document with its problems and stale parts."""
    return EditorPage(
        document=json.dumps(document, ensure_ascii=False),
        sections=tuple(_section(each, document, check, stale) for each in sections(document)),
        check=check,
        stale=stale,
    )


def _section(section: Section, document: Document, check: Check, stale: Stale) -> SectionView:
    groups = tuple(_group(group, document, check, stale) for group in section.groups)
    problems = sum(_count(group) for group in groups)
    return SectionView(section=section, groups=groups, problems=problems)


def _count(group: GroupView) -> int:
    own = sum(len(field.problems) for field in group.fields)
    own += bool(group.problem) + len(group.problems)
    return own + sum(_count(inner) for inner in group.groups)


def _group(group: FieldGroup, document: Document, check: Check, stale: Stale) -> GroupView:
    index = group.row[1] if group.is_case else None
    problem = check.cases.get(index, "") if isinstance(index, int) else ""
    wanted = missing_range(document, index) if problem and isinstance(index, int) else ("", "")
    return GroupView(
        group=group,
        fields=tuple(_field(field, document, check) for field in group.fields),
        groups=tuple(_group(inner, document, check, stale) for inner in group.groups),
        problem=problem,
        give_range=wanted[0],
        range_of=wanted[1],
        stale=index in stale.cases,
        problems=tuple(check.at.get(group.row, ())) if _has_own_problems(group) else (),
    )


def _has_own_problems(group: FieldGroup) -> bool:
    """Return whether problems at the group's path are not already shown at a field."""
    return bool(group.row) and group.row not in {field.path for field in group.fields}


def _field(field: Field, document: Document, check: Check) -> FieldView:
    return FieldView(
        field=field, value=shown(field, document), problems=tuple(_problems(field.path, check))
    )


def _problems(path: Path, check: Check) -> Iterator[str]:
    """Yield the problems at a path or below it, such as those of single lines."""
    for place, problems in check.at.items():
        if place[: len(path)] == path:
            yield from problems
