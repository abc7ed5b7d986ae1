"""Specification of a bundle's table: columns with types and units, keys, and its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from coach.research.exports.bundle.scope import Included

Row = dict[str, Any]
Kind = Literal["string", "integer", "number", "boolean"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column, as described by Table Schema (Data Package v2)."""

    name: str
    kind: Kind
    what: str
    unit: str = ""
    required: bool = True
    allowed: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    is_free_text: bool = False
    """People wrote it: it is searched for names, addresses and numbers."""
    is_about_a_person: bool = False
    """Somebody or something wrote it about a person: it is searched for inner states, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A foreign key to another table or to the same one."""

    column: str
    table: str
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One CSV file. `rows` are in the order of the key."""

    name: str
    title: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: Callable[[Included], Iterator[Row]]
    refers: tuple[Reference, ...] = ()
    is_kept_as_it_came: bool = False
    """Made from what only this site has; an imported study keeps its rows as they came."""
    may_be_missing: bool = False
    """A bundle of before has no such table, and is read without it."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the header."""
        return tuple(column.name for column in self.columns)


def text(
    name: str,
    what: str,
    *allowed: str,
    required: bool = True,
    free: bool = False,
    about: bool = False,
) -> Column:
    """Return a text column: `allowed` closes it, `free` is user input, `about` describes a
    person.
    """
    return Column(
        name=name,
        kind="string",
        what=what,
        required=required,
        allowed=allowed,
        is_free_text=free or about,
        is_about_a_person=about,
    )


def whole(
    name: str, what: str, unit: str = "1", *, least: float | None = 0, required: bool = True
) -> Column:
    """Return a column of whole numbers, by default from 0."""
    return Column(name=name, kind="integer", what=what, unit=unit, least=least, required=required)


def number(
    name: str,
    what: str,
    unit: str = "1",
    *,
    least: float | None = None,
    most: float | None = None,
    required: bool = False,
) -> Column:
    """Return a column of numbers that may be missing."""
    return Column(
        name=name, kind="number", what=what, unit=unit, least=least, most=most, required=required
    )


def yes_no(name: str, what: str, *, required: bool = True) -> Column:
    """Return a column of true and false."""
    return Column(name=name, kind="boolean", what=what, required=required)


def refers(column: str, table: str, to: str | None = None) -> Reference:
    """Return a foreign key, by default to a column of the same name."""
    return Reference(column=column, table=table, to=to or column)
