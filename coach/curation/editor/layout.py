"""The layout of the form: sections, and rows that can be added, copied and removed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from coach.curation.editor.fields import Choices, Field, Path, name_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Adder:
    """A button that adds a row; `choices` are the options for the new row."""

    do: str
    label: str
    act: Callable[[Any, str], None]
    """Add the row, of the chosen option, to a document."""
    choices: Choices = ()

    @property
    def select(self) -> str:
        """The name of the select next to the button."""
        return f"new|{self.do}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldGroup:
    """A group of fields; `row` is the path of a row that can be copied or removed."""

    title: str = ""
    fields: tuple[Field, ...] = ()
    row: Path = ()
    adders: tuple[Adder, ...] = ()
    groups: tuple[FieldGroup, ...] = ()
    is_case: bool = False

    @property
    def row_name(self) -> str:
        """The row's name in buttons; empty if the group is not a row."""
        return name_of(self.row)

    @property
    def can_copy(self) -> bool:
        """Whether the row stands in a list, where a copy can follow it."""
        return isinstance(self.row[-1], int)

    @property
    def all_groups(self) -> Iterator[FieldGroup]:
        """This group and its nested groups."""
        yield self
        for group in self.groups:
            yield from group.all_groups


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of the form."""

    key: str
    title: str
    lead: str = ""
    groups: tuple[FieldGroup, ...] = ()
    is_open: bool = False
    is_paired: bool = False
    """Whether the section has two columns, one per language."""


def joined(parts: list[FieldGroup], **about: Any) -> FieldGroup:
    """Return one group of all parts; those with a title and rows stay groups in it."""
    inner = [part for part in parts if not (part.title or part.row)]
    return FieldGroup(
        fields=tuple(field for part in inner for field in part.fields),
        groups=tuple(
            group
            for part in parts
            for group in ((part,) if part.title or part.row else part.groups)
        ),
        adders=tuple(adder for part in inner for adder in part.adders),
        **about,
    )
