"""Paragraphs of an OpenDocument text (ODF 1.3, part 3) in order, with tables and text boxes.

odfpy (1.4, last released in 2020) reads the whole archive without limits, so that this is our own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final
from xml.etree.ElementTree import Element

from coach.lib.files.archives import UNREADABLE, MemberTooLarge, open_archive, read_member
from coach.lib.files.xml_files import BadXml, TooMuchXml, XmlLimits, parse_xml
from coach.research.coding.interviews.reading.encodings import tidy
from coach.research.coding.interviews.reading.lines import (
    MOST_LINES,
    Line,
    NotATranscript,
    ParsedFile,
    ReadingProblem,
)

_MOST_XML_BYTES = 40 * 1024**2
"""As for Word documents."""
_LIMITS: Final = XmlLimits(elements=500_000, attributes=1_000_000)
_MOST_BLANKS = 200
"""Blanks in a row that one element may stand for (rule of thumb)."""
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_PARAGRAPHS: Final = {f"{_TEXT}p", f"{_TEXT}h"}
_NOT_IN_THE_TEXT: Final = {f"{_TEXT}note": "footnotes", f"{_OFFICE}annotation": "comments"}
_DELETED = f"{_TEXT}tracked-changes"
"""Deleted words are here; inserted ones are in the text."""


def check_odt(content: bytes) -> None:
    """Check the first bytes. Raises NotATranscript unless the file is a ZIP archive."""
    if not content.startswith(b"PK"):
        raise NotATranscript("no_odt")


def read_odt(content: bytes) -> ParsedFile:
    """Read an OpenDocument text. Raises NotATranscript."""
    check_odt(content)
    try:
        with open_archive(content) as archive:
            xml = read_member(archive, "content.xml", _MOST_XML_BYTES)
        document = parse_xml(xml, _LIMITS)
    except (MemberTooLarge, TooMuchXml) as error:
        raise NotATranscript("too_large") from error
    except (*UNREADABLE, BadXml) as error:
        raise NotATranscript("no_odt") from error
    words = (
        line
        for paragraph in _paragraphs(document)
        for line in tidy("".join(_pieces(paragraph))).split("\n")
    )
    lines = [Line(number, each) for number, each in enumerate(islice(words, MOST_LINES + 1), 1)]
    left_out = {
        _NOT_IN_THE_TEXT[each.tag] for each in document.iter() if each.tag in _NOT_IN_THE_TEXT
    }
    odd = [ReadingProblem(0, "left_out", code) for code in sorted(left_out)]
    return ParsedFile(kind="odt", lines=lines, odd=odd)


def _paragraphs(element: Element) -> Iterator[Element]:
    for child in element:
        if child.tag in _PARAGRAPHS:
            yield child
        if child.tag != _DELETED and child.tag not in _NOT_IN_THE_TEXT:
            yield from _paragraphs(child)


def _pieces(element: Element) -> Iterator[str]:
    """Yield the words of one paragraph. Words of a paragraph in it, as in a text box, follow."""
    yield element.text or ""
    for child in element:
        if child.tag == f"{_TEXT}s":
            yield " " * _count(child.get(f"{_TEXT}c"))
        elif child.tag == f"{_TEXT}tab":
            yield "\t"
        elif child.tag == f"{_TEXT}line-break":
            yield "\n"
        elif child.tag not in _PARAGRAPHS and child.tag not in _NOT_IN_THE_TEXT:
            yield from _pieces(child)
        yield child.tail or ""


def _count(said: str | None) -> int:
    return min(int(said), _MOST_BLANKS) if said and said.isascii() and said.isdigit() else 1
