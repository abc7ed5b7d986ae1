"""What a table of the bundle is: columns with types and units, keys, where its rows come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from coach.research.exports.bundle.scope import Included

Row = dict[str, Any]
Kind = Literal["string", "integer", "number", "boolean"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column, as Table Schema describes it (Data Package v2)."""

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
    """A column whose values stand in another table (or in this one)."""

    column: str
    table: str
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One CSV file. `rows` come in the order of the key."""

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
        """The header."""
        return tuple(column.name for column in self.columns)


def text(
    name: str,
    what: str,
    *allowed: str,
    required: bool = True,
    free: bool = False,
    about: bool = False,
) -> Column:
    """A column of words; `allowed` closes it, `free` was typed by people, `about` speaks of one."""
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
    """A column of whole numbers, from 0 on unless it says otherwise."""
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
    """A column of numbers that may be missing."""
    return Column(
        name=name, kind="number", what=what, unit=unit, least=least, most=most, required=required
    )


def yes_no(name: str, what: str, *, required: bool = True) -> Column:
    """A column of true and false."""
    return Column(name=name, kind="boolean", what=what, required=required)


def refers(column: str, table: str, to: str | None = None) -> Reference:
    """That a column's values stand in a table, in a column of the same name unless it is said."""
    return Reference(column=column, table=table, to=to or column)
