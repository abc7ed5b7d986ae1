"""Paragraphs of a Word document in order, including tables, text boxes and tracked insertions.

python-docx drops those silently (1.2), so the XML is read here, in 40 lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final
from xml.etree.ElementTree import Element

from coach.lib.files.archives import UNREADABLE, MemberTooLarge, open_archive, read_member
from coach.lib.files.xml_files import BadXml, Limits, TooMuchXml, parse_xml
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
_LIMITS: Final = Limits(elements=500_000, attributes=1_000_000)
"""A page of Word has about five hundred elements and as many attributes (rule of thumb)."""
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_OLD_WORD = b"\xd0\xcf\x11\xe0"
"""A .doc of before 2007, or a .docx behind a password."""
_NOT_IN_THE_TEXT: Final = {"word/footnotes.xml": "footnotes", "word/comments.xml": "comments"}


def check_beginning(content: bytes) -> None:
    """Check the first bytes. Raises NotATranscript unless the file is a ZIP archive."""
    if content.startswith(_OLD_WORD):
        raise NotATranscript("old_word")
    if not content.startswith(b"PK"):
        raise NotATranscript("no_docx")


def read_docx(content: bytes) -> Read:
    """Read a Word document. Raises NotATranscript."""
    check_beginning(content)
    try:
        with open_archive(content) as archive:
            names = set(archive.namelist())
            xml = read_member(archive, "word/document.xml", _MOST_XML_BYTES)
        body = parse_xml(xml, _LIMITS)
    except (MemberTooLarge, TooMuchXml) as error:
        raise NotATranscript("too_large") from error
    except (*UNREADABLE, BadXml) as error:
        raise NotATranscript("no_docx") from error
    lines = _lines(body)
    odd = [Odd(0, "left_out", code) for name, code in _NOT_IN_THE_TEXT.items() if name in names]
    return Read(kind="docx", lines=lines, odd=odd)


def _lines(body: Element) -> list[Line]:
    """Return the lines, at most one more than the limit, to show that it is exceeded."""
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
    """Yield the words of one paragraph; deleted ones (w:delText) have another tag and are
    left out.
    """
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
