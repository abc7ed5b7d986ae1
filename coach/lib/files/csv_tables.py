"""CSV as in RFC 4180, in UTF-8, safe to open in a spreadsheet."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

_UTF_8 = codecs.BOM_UTF8
_PIECE_CHARACTERS = 64 * 1024
"""Sent at a time (rule of thumb): line by line most of the time would go into handing over."""
_BEGUN = r"(?=[=+\-@\t\r])"
_INSIDE = r"(?=[=@]|[+\-][^;\r\n]*[(|!])"
"""Calls, references to other sheets and to other programs; a dash before anything else is one."""
_RUNS = re.compile(rf"""\A'*{_BEGUN}|[;\r\n]["\t ]*'*{_INSIDE}""")
_GUARDED = re.compile(rf"""(\A'*)'{_BEGUN}|([;\r\n]["\t ]*'*)'{_INSIDE}""")


def csv_bytes(columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> bytes:
    """A header and one line a row; missing values are empty."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row.get(column)) for column in columns])
    return out.getvalue().encode()


def csv_lines(columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """The same, some lines at a time, so that a long table needs no memory."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row.get(column)) for column in columns])
        if out.tell() >= _PIECE_CHARACTERS:
            yield out.getvalue().encode()
            out.seek(0)
            out.truncate()
    yield out.getvalue().encode()


def for_spreadsheets(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The same for a table of words, which people open with a double click.

    Without this mark Excel takes UTF-8 for the letters of its machine, and breaks every accent.
    """
    yield _UTF_8
    yield from lines


def _cell(value: Any) -> str | int | float:
    """A value as a cell, safe in a spreadsheet."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return value
    return no_formula(str(value))


def no_formula(text: str) -> str:
    """Text that a spreadsheet would run as a formula gets an apostrophe before it.

    Also inside, where one that divides at semicolons, as French ones do, begins a cell of its own:
    behind a semicolon or a new line. A dash there stays what it is, unless it leads to a call.
    """
    return _RUNS.sub(r"\g<0>'", text)


def without_guard(text: str) -> str:
    """The same text again, to the letter."""
    return _GUARDED.sub(r"\1\2", text)
