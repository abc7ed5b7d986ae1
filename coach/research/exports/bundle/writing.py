"""Tables as files: UTF-8 without BOM, line feeds, RFC 4180 quoting, `.` and true/false.

The canonical CSV is faithful: no cell is changed for spreadsheets, and the README says to import
columns as text.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coach.research.exports.bundle.scope import Included
from coach.research.exports.bundle.spec import Column, Row, Table
from coach.research.exports.models import ImportedRow


def write_table(table: Table, included: Included, folder: Path) -> int:
    """Write data/NAME.csv row by row; return the number of rows."""
    path = folder / "data" / f"{table.name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table.names)
        for row in rows_of(table, included):
            writer.writerow([cell(column, row.get(column.name)) for column in table.columns])
            count += 1
    return count


def rows_of(table: Table, included: Included) -> Iterator[Row]:
    """Yield the rows of a table, generated now or kept from an import."""
    if table.is_kept_as_it_came and included.study.is_imported:
        kept = ImportedRow.objects.filter(study=included.study, table=table.name)
        yield from kept.order_by("number").values_list("values", flat=True).iterator()
        return
    yield from table.rows(included)


def cell(column: Column, value: Any) -> str:
    """Return a value as text; missing values are empty."""
    if value is None or value == "":
        return ""
    if column.kind == "boolean":
        return "true" if value else "false"
    if column.kind == "integer":
        return str(int(value))
    if column.kind == "number":
        return _decimal(float(value))
    return str(value)


def _decimal(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)


def read_table(table: str, folder: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a written table, as text."""
    with (folder / "data" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)
