"""Specification of a dashboard page: columns, rows, chart and choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from django.utils.functional import Promise

from coach.lib.words.numbers import decimal, grouped, percent
from coach.research.dashboard.applied_codes import CodeMarks, marks_in
from coach.research.exports.bundle.scope import Included

Row = dict[str, Any]
Kind = Literal["bars", "counts", "dots", "columns", "heat"]


@dataclass(frozen=True, kw_only=True)
class DashboardRequest:
    """A request for a page: the study, the reader's permissions and their choices."""

    included: Included
    knows_conditions: bool
    """Whether the reader may see the names of conditions."""
    chosen: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def marks(self) -> CodeMarks:
        """Return the codes on turns, which several parts of a page need."""
        return marks_in(self.included)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderChoice:
    """One choice of the reader: its options with labels, and the selected one."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DashboardColumn:
    """A column: its name in the CSV, its label on the page, and its formatting."""

    name: str
    label: str | Promise
    words: Callable[[Any], str] = str
    is_chosen: bool = False
    """Whether the reader's choice gives the same value for every row: it is only in the CSV."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """A series of a chart; None where there is no value."""

    name: str
    values: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DashboardChart:
    """A chart of the rows.

    `bars` are stacked parts of a whole, `counts` are next to each other, `dots` have intervals,
    `columns` are dots over an order such as that of takes, `heat` is a square of shares.
    """

    kind: Kind
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    axis: str
    is_share: bool = False
    """Values from 0 to 1, shown in per cent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DashboardPage:
    """One page: a title, a description, a table, its chart, and the same table as CSV."""

    name: str
    title: str | Promise
    what: str | Promise
    columns: tuple[DashboardColumn, ...]
    rows: Callable[[DashboardRequest], Iterable[Row]]
    chart: Callable[[list[Row]], DashboardChart | None] | None = None
    choices: Callable[[DashboardRequest], tuple[ReaderChoice, ...]] = lambda _asked: ()
    all_rows: Callable[[DashboardRequest], Iterator[Row]] | None = None
    """Rows for the CSV, if the page shows a choice."""
    names_people: bool = False
    """Whether it contains pseudonyms: a download as CSV is then recorded in the ledger of
    exports."""


def whole(value: Any) -> str:
    """Return a count; empty if it is suppressed."""
    return "" if value is None else grouped(value)


def share(value: Any) -> str:
    """Return a share of 1 as per cent."""
    return "" if value is None else percent(value)


def figure(value: Any) -> str:
    """Return a measured value with three significant digits."""
    if value is None:
        return ""
    size = abs(value)
    return decimal(value, 0 if size >= 100 else 1 if size >= 10 else 2)
