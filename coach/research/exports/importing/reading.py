"""Reading of an untrusted bundle: everything is checked before use."""

from __future__ import annotations

import csv
import hashlib
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coach.lib.files.archives import (
    UNREADABLE,
    member_lines,
    open_archive,
    open_member,
    read_member,
)
from coach.research.exports.bundle.guard.cells import fits
from coach.research.exports.bundle.spec import Column, Row, Table
from coach.research.exports.bundle.tables import BY_NAME, TABLES

_MOST_BYTES = 1 << 30
"""Unpacked; the demonstration has 4 MB (rule of thumb)."""
_MOST_MANIFEST_BYTES = 4 * 1024**2
"""That of the demonstration has 6 kB (rule of thumb, as are the next ones)."""
_MOST_TEXT_BYTES = 16 * 1024**2
_MOST_FILES = 20_000
_LONGEST_LINE = 4 * 1024**2
"""In bytes: a cell may hold a whole transcript."""
_LONGEST_SUM = 1024
_FORMAT = "rostrum-study"


class NotABundle(Exception):
    """A file that is not a bundle of ours, or is inconsistent; the message names the place."""

    code = "not_a_bundle"


@dataclass(frozen=True, slots=True)
class Bundle:
    """An archive whose hashes match and whose tables have our columns."""

    archive: zipfile.ZipFile
    manifest: dict[str, Any]

    def rows(self, table: str) -> Iterator[Row]:
        """Yield rows with typed values; empty cells are missing.

        Raises NotABundle with the line.
        """
        columns = BY_NAME[table].columns
        place = f"data/{table}.csv"
        if BY_NAME[table].may_be_missing and place not in self.archive.namelist():
            return
        reader = csv.DictReader(member_lines(self.archive, place, _LONGEST_LINE))
        try:
            for row in reader:
                yield {column.name: _value(column, row.get(column.name, "")) for column in columns}
        except (*UNREADABLE, csv.Error) as error:
            raise NotABundle(f"{place}, line {reader.line_num}") from error

    def text(self, name: str) -> str:
        """Return the content of a text file. Raises NotABundle."""
        try:
            return read_member(self.archive, name, _MOST_TEXT_BYTES).decode()
        except UNREADABLE as error:
            raise NotABundle(name) from error


def open_bundle(path: Path) -> Bundle:
    """Open a bundle and check its sizes, hashes and columns. Raises NotABundle."""
    try:
        archive = open_archive(path)
    except UNREADABLE as error:
        raise NotABundle("export_manifest.json") from error
    try:
        return _checked(archive)
    except BaseException:
        archive.close()
        raise


def _checked(archive: zipfile.ZipFile) -> Bundle:
    entries = archive.infolist()
    if len(entries) > _MOST_FILES or sum(each.file_size for each in entries) > _MOST_BYTES:
        raise NotABundle("SHA256SUMS")
    try:
        _check_sums(archive)
        manifest = json.loads(read_member(archive, "export_manifest.json", _MOST_MANIFEST_BYTES))
    except UNREADABLE as error:
        raise NotABundle("export_manifest.json") from error
    if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT:
        raise NotABundle("export_manifest.json")
    there = set(archive.namelist())
    for table in TABLES:
        name = f"data/{table.name}.csv"
        if table.may_be_missing and name not in there:
            continue
        if not has_columns_of(table, _header(archive, name)):
            raise NotABundle(name)
    return Bundle(archive, manifest)


def _header(archive: zipfile.ZipFile, name: str) -> list[str]:
    try:
        return next(csv.reader(member_lines(archive, name, _LONGEST_LINE)), [])
    except (*UNREADABLE, csv.Error) as error:
        raise NotABundle(name) from error


def has_columns_of(table: Table, header: list[str]) -> bool:
    """Return whether the header has our columns in order; optional ones may be missing in
    old bundles.
    """
    needed = {column.name for column in table.columns if column.required}
    there = [name for name in table.names if name in header]
    return there == header and needed <= set(header)


def _check_sums(archive: zipfile.ZipFile) -> None:
    there = set(archive.namelist()) - {"SHA256SUMS"}
    said = {}
    for line in member_lines(archive, "SHA256SUMS", _LONGEST_SUM):
        digest, _space, name = line.rstrip("\n").partition("  ")
        if name not in there or name in said:
            raise NotABundle("SHA256SUMS")
        said[name] = digest
    needed = {f"data/{table.name}.csv" for table in TABLES if not table.may_be_missing}
    if there != said.keys() or not needed <= there:
        raise NotABundle("SHA256SUMS")
    for name in sorted(there):
        with open_member(archive, name) as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != said[name]:
                raise NotABundle(name)


def _value(column: Column, text: str | None) -> Any:
    # A column that an older bundle lacks is empty.
    if text is None or not fits(column, text):
        raise ValueError(column.name)
    if text == "":
        return None if column.kind != "string" else ""
    if column.kind == "boolean":
        return text == "true"
    if column.kind == "integer":
        return int(text)
    return float(text) if column.kind == "number" else text
