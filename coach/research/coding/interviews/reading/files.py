"""Choice of a reader by file extension, checked against the content."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import PurePath
from typing import Final

from coach.research.coding.interviews.reading.captions import read_cues
from coach.research.coding.interviews.reading.docx import check_beginning, read_docx
from coach.research.coding.interviews.reading.encodings import GUESSED, decode, tidy
from coach.research.coding.interviews.reading.lines import (
    MOST_LINES,
    Line,
    NotATranscript,
    ParsedFile,
    ReadingProblem,
)
from coach.research.coding.interviews.reading.odt import check_odt, read_odt
from coach.research.coding.interviews.reading.otranscribe import read_otr
from coach.research.coding.interviews.reading.pdf import check_pdf, read_pdf
from coach.research.coding.interviews.reading.rtf import check_rtf, read_rtf

ENDINGS: Final = ("txt", "docx", "odt", "rtf", "pdf", "vtt", "srt", "otr")
MOST_BYTES: Final = dict.fromkeys(("docx", "odt", "rtf", "pdf"), 20 * 1024**2)
"""A document may contain pictures; ten hours of talk are under a megabyte of text."""
MOST_TEXT_BYTES: Final = 4 * 1024**2


Check = Callable[[bytes], None]
Reader = Callable[[bytes], ParsedFile]

_BEGINNING: Final = 8
_DOCUMENTS: Final[Mapping[str, tuple[Check, Reader]]] = {
    "docx": (check_beginning, read_docx),
    "odt": (check_odt, read_odt),
    "rtf": (check_rtf, read_rtf),
    "pdf": (check_pdf, read_pdf),
}
"""The check of the first bytes, and the reader, of each kind of document."""
READ_BY_WORKERS: Final = frozenset(_DOCUMENTS)
"""Web processes read text, since four megabytes take a second (tests/coach/research/interviews); a
document may unpack to anything."""


def check_file(name: str, size: int, beginning: bytes) -> str:
    """Return the extension of a readable file, without parsing it. Raises NotATranscript."""
    ending = PurePath(name).suffix.lower().lstrip(".")
    if ending not in ENDINGS:
        raise NotATranscript("unknown_kind", ending)
    if size > MOST_BYTES.get(ending, MOST_TEXT_BYTES):
        raise NotATranscript("too_large")
    if ending in _DOCUMENTS:
        check, _read = _DOCUMENTS[ending]
        check(beginning)
    return ending


def read_file(name: str, content: bytes) -> ParsedFile:
    """Read a transcript. Raises NotATranscript with a code."""
    ending = check_file(name, len(content), content[:_BEGINNING])
    reader = _DOCUMENTS[ending][1] if ending in _DOCUMENTS else partial(_read_text, ending)
    read = reader(content)
    if not any(line.words.strip() for line in read.lines):
        raise NotATranscript("empty")
    if len(read.lines) > MOST_LINES:
        raise NotATranscript("too_large")
    return read


def _read_text(ending: str, content: bytes) -> ParsedFile:
    if content.startswith((b"PK\x03\x04", b"%PDF")):
        raise NotATranscript("no_text", ending)
    raw, encoding = decode(content)
    text = tidy(raw)
    if ending == "otr":
        read = read_otr(text)
    elif ending == "txt":
        lines = [Line(n, words) for n, words in enumerate(text.split("\n"), start=1)]
        read = ParsedFile(kind="txt", lines=lines)
    else:
        read = read_cues(text, ending)
    odd = [ReadingProblem(0, "guessed_encoding", encoding)] if encoding in GUESSED else []
    broken = [
        ReadingProblem(line.number, "broken_letters", line.words)
        for line in read.lines
        if "\N{REPLACEMENT CHARACTER}" in line.words
    ]
    return ParsedFile(
        kind=read.kind, lines=read.lines, odd=[*odd, *broken, *read.odd], encoding=encoding
    )
