"""The layout of the form: sections, and rows that can be added and removed."""

from __future__ import annotations

from dataclasses import dataclass

from coach.curation.editor.fields import Choices, Field, Path, name_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Adder:
    """A button that adds a row; `choices` are the options for the new row."""

    do: str
    label: str
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
    note: str = ""
    adders: tuple[Adder, ...] = ()
    groups: tuple[FieldGroup, ...] = ()
    is_case: bool = False

    @property
    def row_name(self) -> str:
        """The row's name in buttons; empty if the group is not a row."""
        return name_of(self.row)

    @property
    def all_fields(self) -> tuple[Field, ...]:
        """The fields of this group and of its nested groups."""
        return (*self.fields, *(f for group in self.groups for f in group.all_fields))


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of the form."""

    key: str
    title: str
    lead: str = ""
    groups: tuple[FieldGroup, ...] = ()
    adders: tuple[Adder, ...] = ()
    is_open: bool = False
    is_paired: bool = False
    """Whether the section has two columns, one per language."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """All fields of the section."""
        return tuple(field for group in self.groups for field in group.all_fields)
