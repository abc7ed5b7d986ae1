"""Paragraphs of a PDF file, which has only lines as they stand on its pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import Final

from analysis.backends.pdf_pages import PdfRefused, read_pdf_text
from coach.lib.files.scratch import scratch
from coach.research.coding.interviews.reading.encodings import tidy
from coach.research.coding.interviews.reading.lines import (
    Line,
    NotATranscript,
    ParsedFile,
    ReadingProblem,
)

_MARK = b"%PDF"
_HYPHEN = "\ufffe"
"""What pdfium writes for a hyphen at the end of a line."""
_SHORT = 0.75
"""A line shorter than this share of the median line ends a paragraph (rule of thumb)."""
_BEGINS = re.compile(
    r"[\[(#]?\d{1,2}:\d{2}|>>|[-\N{EN DASH}\N{EM DASH}]\s|[^\W_][^:：\n]{0,59}[:：](?:\s|$)"
)
"""A time, a mark for another speaker, or a name with a colon begins a turn."""
_PAGE_NUMBER = re.compile(r"(?:[Pp]age\s)?\d{1,4}(?:\s?/\s?\d{1,4})?")
_REFUSED: Final = {"password": "pdf_password", "not_pdf": "no_pdf", "no_pages": "no_pdf"}


def check_pdf(content: bytes) -> None:
    """Check the first bytes. Raises NotATranscript unless they are those of a PDF file."""
    if not content.startswith(_MARK):
        raise NotATranscript("no_pdf")


def read_pdf(content: bytes) -> ParsedFile:
    """Read the text of a PDF file in a child process with limits. Raises NotATranscript.

    Lines of a page are joined to paragraphs; page numbers alone on the first or last line of a
    page are left out. Both are reported.
    """
    check_pdf(content)
    with scratch() as folder:
        path = folder / "transcript.pdf"
        path.write_bytes(content)
        try:
            pages = read_pdf_text(path, folder)
        except PdfRefused as refused:
            raise NotATranscript(_REFUSED.get(refused.problem, "too_large")) from refused
    lines = [line for page in pages for line in _lines_of(page)]
    if not lines:
        raise NotATranscript("scanned_pdf")
    found = enumerate(_paragraphs(lines), start=1)
    return ParsedFile(
        kind="pdf",
        lines=[Line(number, words) for number, words in found],
        odd=[ReadingProblem(0, "joined_lines")],
    )


def _lines_of(page: str) -> Sequence[str]:
    """Return the lines of a page without its number."""
    lines = tidy(page.replace(f"{_HYPHEN}\r\n", "").replace(_HYPHEN, "-")).split("\n")
    lines = [" ".join(line.split()) for line in lines if line.strip()]
    for place in (0, -1):
        if lines and _PAGE_NUMBER.fullmatch(lines[place]):
            lines.pop(place)
    return lines


def _paragraphs(lines: Iterable[str]) -> Iterator[str]:
    lines = list(lines)
    usual = median(map(len, lines)) if lines else 0
    open_line, last = "", ""
    for line in lines:
        goes_on = open_line and len(last) >= _SHORT * usual and not _BEGINS.match(line)
        if goes_on:
            open_line = f"{open_line} {line}"
        else:
            if open_line:
                yield open_line
            open_line = line
        last = line
    if open_line:
        yield open_line
