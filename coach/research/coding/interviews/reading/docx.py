"""Paragraphs of a Word document, in their order: also in tables, text boxes and tracked insertions.

python-docx leaves those out without a word (1.2), so the XML is read here; it is 40 lines.
"""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from itertools import islice
from typing import Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from coach.research.coding.interviews.reading.encodings import tidy
from coach.research.coding.interviews.reading.lines import (
    MOST_LINES,
    Line,
    NotATranscript,
    Odd,
    Read,
)

_MOST_XML_BYTES = 40 * 1024**2
"""A thousand pages take about 10 MB unpacked (rule of thumb)."""
_MOST_TAGS = 1_000_000
"""Each takes some two hundred bytes once it is read: a page of Word has about a thousand (rule of
thumb), and forty megabytes of nothing else would take more than a gigabyte."""
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_OLD_WORD = b"\xd0\xcf\x11\xe0"
"""A .doc of before 2007, or a .docx behind a password."""
_NOT_IN_THE_TEXT: Final = {"word/footnotes.xml": "footnotes", "word/comments.xml": "comments"}


def read_docx(content: bytes) -> Read:
    """Raises NotATranscript."""
    if content.startswith(_OLD_WORD):
        raise NotATranscript("old_word")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = set(archive.namelist())
            with archive.open("word/document.xml") as file:
                xml = file.read(_MOST_XML_BYTES + 1)
    except (
        *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
        *(EOFError, KeyError, OSError, RuntimeError, ValueError),
    ) as error:
        raise NotATranscript("no_docx") from error
    if len(xml) > _MOST_XML_BYTES or xml.count(b"<") > _MOST_TAGS:
        raise NotATranscript("too_large")
    try:
        body = fromstring(xml, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise NotATranscript("no_docx") from error
    try:
        lines = _lines(body)
    except RecursionError as error:  # nested deeper than any program writes it
        raise NotATranscript("no_docx") from error
    odd = [Odd(0, "left_out", code) for name, code in _NOT_IN_THE_TEXT.items() if name in names]
    return Read(kind="docx", lines=lines, odd=odd)


def _lines(body: Element) -> list[Line]:
    """One more than may be, where there are more: nobody reads on."""
    words = (
        line
        for paragraph in _paragraphs(body)
        for line in tidy("".join(_pieces(paragraph))).split("\n")
    )
    return [Line(number, each) for number, each in enumerate(islice(words, MOST_LINES + 1), 1)]


def _paragraphs(element: Element) -> Iterator[Element]:
    for child in element:
        if child.tag == f"{_W}p":
            yield child
        if child.tag != _FALLBACK:  # the same text box again, for older programs
            yield from _paragraphs(child)


def _pieces(element: Element) -> Iterator[str]:
    """Words of one paragraph; deleted ones (w:delText) have another name and stay out."""
    for child in element:
        if child.tag == f"{_W}t":
            yield child.text or ""
        elif child.tag == f"{_W}tab":
            yield "\t"
        elif child.tag in {f"{_W}br", f"{_W}cr"}:
            yield "\n"
        elif child.tag == f"{_W}noBreakHyphen":
            yield "-"
        elif child.tag not in {f"{_W}p", f"{_W}pPr", _FALLBACK}:
            yield from _pieces(child)
