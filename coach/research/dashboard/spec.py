"""What a page of the glance is: columns, rows, a chart, and what may be chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from django.utils.functional import Promise

from coach.lib.words.numbers import decimal, grouped, percent
from coach.research.exports.bundle.scope import Included

Row = dict[str, Any]
Kind = Literal["bars", "counts", "dots", "columns", "heat"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Of which study, for whom, and what they chose."""

    included: Included
    knows_conditions: bool
    """Whether letters have meanings for the reader."""
    chosen: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One thing that the reader chooses: its options with their labels, and which one holds."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column: its name in the CSV, its label on the page, how the page writes a value."""

    name: str
    label: str | Promise
    words: Callable[[Any], str] = str
    is_chosen: bool = False
    """What the reader chose says it already, for every row: it stands in the CSV alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One line of dots or one kind of bar; None where there is no value."""

    name: str
    values: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """What is drawn of the rows.

    `bars` lie on each other and make a whole, `counts` lie beside each other, `dots` have
    intervals, `columns` are dots over an order such as that of takes, `heat` is a square of shares.
    """

    kind: Kind
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    axis: str
    is_share: bool = False
    """0 to 1: written in per cent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """One page: a title, what it counts, a table, a chart of it, and the same table as CSV."""

    name: str
    title: str | Promise
    what: str | Promise
    columns: tuple[Column, ...]
    rows: Callable[[Asked], Iterable[Row]]
    chart: Callable[[list[Row]], Chart | None] | None = None
    choices: Callable[[Asked], tuple[Choice, ...]] = lambda _asked: ()
    all_rows: Callable[[Asked], Iterator[Row]] | None = None
    """For the CSV, where the page shows a choice."""
    names_people: bool = False
    """Whether pseudonyms stand in it: then a CSV of it goes into the ledger of exports."""


def whole(value: Any) -> str:
    """A count; nothing where it is kept back."""
    return "" if value is None else grouped(value)


def share(value: Any) -> str:
    """A share of one in per cent."""
    return "" if value is None else percent(value)


def figure(value: Any) -> str:
    """A measured value, to three digits that mean something."""
    if value is None:
        return ""
    size = abs(value)
    return decimal(value, 0 if size >= 100 else 1 if size >= 10 else 2)
