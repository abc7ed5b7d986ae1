"""How fields are grouped on the page: sections, and rows that can be added and taken away."""

from __future__ import annotations

from dataclasses import dataclass

from coach.curation.editor.fields import Choices, Field, Path, name_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Adder:
    """A button that adds a row; `choices` is what can be chosen for it."""

    do: str
    label: str
    choices: Choices = ()

    @property
    def select(self) -> str:
        """The name of the list beside the button."""
        return f"new|{self.do}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldGroup:
    """Fields that belong together; `row` is the path of a row that can be copied or removed."""

    title: str = ""
    fields: tuple[Field, ...] = ()
    row: Path = ()
    note: str = ""
    adders: tuple[Adder, ...] = ()
    groups: tuple[FieldGroup, ...] = ()
    is_case: bool = False

    @property
    def row_name(self) -> str:
        """The row as buttons name it; empty where it cannot be moved."""
        return name_of(self.row)

    @property
    def all_fields(self) -> tuple[Field, ...]:
        """Its fields and those of the groups in it."""
        return (*self.fields, *(f for group in self.groups for f in group.all_fields))


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One part of the page."""

    key: str
    title: str
    lead: str = ""
    groups: tuple[FieldGroup, ...] = ()
    adders: tuple[Adder, ...] = ()
    is_open: bool = False
    is_paired: bool = False
    """Two columns, one a language."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """Every field of the section."""
        return tuple(field for group in self.groups for field in group.all_fields)
