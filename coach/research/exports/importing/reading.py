"""Reading a bundle that came from anywhere: nothing of it is trusted before it was checked."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coach.research.exports.bundle.guard.cells import fits
from coach.research.exports.bundle.spec import Column, Row, Table
from coach.research.exports.bundle.tables import BY_NAME, TABLES

_MOST_BYTES = 1 << 30
"""Unpacked; the demonstration has 4 MB (rule of thumb)."""
_FORMAT = "rostrum-study"


class NotABundle(Exception):
    """It is no bundle of ours, or something in it is not as it says; where."""

    code = "not_a_bundle"


@dataclass(frozen=True, slots=True)
class Bundle:
    """A zip whose hashes hold and whose tables have our columns."""

    archive: zipfile.ZipFile
    manifest: dict[str, Any]

    def rows(self, table: str) -> Iterator[Row]:
        """Rows with values of their types; what is empty is missing.

        Raises NotABundle with the line.
        """
        columns = BY_NAME[table].columns
        place = f"data/{table}.csv"
        if BY_NAME[table].may_be_missing and place not in self.archive.namelist():
            return
        with self.archive.open(place) as raw:
            reader = csv.DictReader(io.TextIOWrapper(raw, encoding="utf-8", newline=""))
            for line, row in enumerate(reader, start=2):
                try:
                    yield {
                        column.name: _value(column, row.get(column.name, "")) for column in columns
                    }
                except ValueError as error:
                    raise NotABundle(f"{place}, line {line}") from error

    def text(self, name: str) -> str:
        """A text file, as it is. Raises NotABundle."""
        try:
            return self.archive.read(name).decode()
        except (KeyError, UnicodeDecodeError) as error:
            raise NotABundle(name) from error


# A file that is locked or packed in another way is a RuntimeError, as is what is nested too deep.
_UNREADABLE = (zipfile.BadZipFile, zlib.error, KeyError, ValueError, OSError, RuntimeError)


def open_bundle(path: Path) -> Bundle:
    """Check sizes, hashes and columns. Raises NotABundle."""
    try:
        archive = zipfile.ZipFile(path)
        if sum(entry.file_size for entry in archive.infolist()) > _MOST_BYTES:
            raise NotABundle("SHA256SUMS")
        _check_sums(archive)
        manifest = json.loads(archive.read("export_manifest.json"))
    except _UNREADABLE as error:
        raise NotABundle("export_manifest.json") from error
    if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT:
        raise NotABundle("export_manifest.json")
    there = set(archive.namelist())
    for table in TABLES:
        name = f"data/{table.name}.csv"
        if table.may_be_missing and name not in there:
            continue
        with archive.open(name) as raw:
            header = next(csv.reader(io.TextIOWrapper(raw, encoding="utf-8", newline="")), [])
        if not has_columns_of(table, header):
            raise NotABundle(name)
    return Bundle(archive, manifest)


def has_columns_of(table: Table, header: list[str]) -> bool:
    """Our columns in our order; one that may be empty may be missing, as in a former bundle."""
    needed = {column.name for column in table.columns if column.required}
    there = [name for name in table.names if name in header]
    return there == header and needed <= set(header)


def _check_sums(archive: zipfile.ZipFile) -> None:
    said = {}
    for line in archive.read("SHA256SUMS").decode().splitlines():
        digest, _space, name = line.partition("  ")
        said[name] = digest
    there = set(archive.namelist()) - {"SHA256SUMS"}
    needed = {f"data/{table.name}.csv" for table in TABLES if not table.may_be_missing}
    if there != said.keys() or not needed <= there:
        raise NotABundle("SHA256SUMS")
    for name in sorted(there):
        with archive.open(name) as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != said[name]:  # type: ignore[arg-type]
                raise NotABundle(name)


def _value(column: Column, text: str | None) -> Any:
    # A column that a bundle of before lacks is empty.
    if text is None or not fits(column, text):
        raise ValueError(column.name)
    if text == "":
        return None if column.kind != "string" else ""
    if column.kind == "boolean":
        return text == "true"
    if column.kind == "integer":
        return int(text)
    return float(text) if column.kind == "number" else text
