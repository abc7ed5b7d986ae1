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
    """Return a CSV table: a header and one line per row; missing values are empty."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row.get(column)) for column in columns])
    return out.getvalue().encode()


def csv_lines(columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Yield a CSV table in pieces, so that a long table needs little memory."""
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
    """Prefix a table with a byte order mark, for tables of words opened in a spreadsheet.

    Without it Excel reads UTF-8 in the local code page and breaks every accent.
    """
    yield _UTF_8
    yield from lines


def _cell(value: Any) -> str | int | float:
    """Return a value as a cell that is safe in a spreadsheet."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return value
    return no_formula(str(value))


def no_formula(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet would run as a formula.

    Also inside the text, after a semicolon or a new line: a spreadsheet that splits at semicolons,
    as French ones do, begins a cell there. A dash there is left alone unless it leads to a call.
    """
    return _RUNS.sub(r"\g<0>'", text)


def without_guard(text: str) -> str:
    """Return the text that `no_formula` was given, unchanged to the letter."""
    return _GUARDED.sub(r"\1\2", text)
