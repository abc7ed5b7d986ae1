"""Check of every table cell against its column: type, range, closed values, GUIDs."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from coach.research.exports.bundle.guard.problem import BROKEN, Problem
from coach.research.exports.bundle.spec import Column, Table
from coach.research.exports.bundle.tables import TABLES

_WHOLE: Final = re.compile(r"-?[0-9]{1,15}")
_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
GUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")


def odd_cells(folder: Path) -> Iterator[Problem]:
    """Yield tables that lack columns, and cells that do not match their column."""
    for table in TABLES:
        path = folder / "data" / f"{table.name}.csv"
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.reader(file)
            if tuple(next(reader, ())) != table.names:
                yield Problem(BROKEN, f"data/{table.name}.csv", "columns")
                continue
            yield from _in_rows(table, reader)


def _in_rows(table: Table, rows: Iterator[list[str]]) -> Iterator[Problem]:
    for line, row in enumerate(rows, start=2):
        if len(row) != len(table.columns):
            yield Problem(BROKEN, f"data/{table.name}.csv, line {line}", "columns")
            continue
        for column, cell in zip(table.columns, row, strict=True):
            if not fits(column, cell):
                yield Problem(BROKEN, f"data/{table.name}.csv, line {line}", column.name)


def fits(column: Column, cell: str) -> bool:
    """Return whether a cell matches its column; NaN is not a number."""
    if not cell:
        return not column.required
    if column.kind == "boolean":
        return cell in ("true", "false")
    if column.kind in ("integer", "number"):
        return _is_number(column, cell)
    if column.name.endswith("_guid") or column.name == "coded_as":
        return all(GUID.fullmatch(each) for each in cell.split(" "))
    if column.name == "colour":
        return COLOUR.fullmatch(cell) is not None
    return not column.allowed or cell in column.allowed


def _is_number(column: Column, cell: str) -> bool:
    pattern = _WHOLE if column.kind == "integer" else _NUMBER
    if not pattern.fullmatch(cell):
        return False
    value = float(cell)
    return (
        math.isfinite(value)
        and (column.least is None or value >= column.least)
        and (column.most is None or value <= column.most)
    )
