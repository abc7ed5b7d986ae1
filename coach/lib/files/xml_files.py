"""Uploaded XML: counted before a tree is built, so that a hostile file costs little."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element, ParseError
from xml.parsers import expat

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

_PIECE: Final = 64 * 1024
_LONGEST_TAG: Final = 512 * 1024
"""A tag, remark or instruction in bytes: a hundred thousand attributes of one element fit into
fewer megabytes than they take once they are read (rule of thumb)."""
_DEEPEST: Final = 200
"""Levels: tables in text boxes in tables have about thirty (rule of thumb)."""


class BadXml(ValueError):
    """XML that is not well formed, has a DTD, or is in an unknown encoding."""


class TooMuchXml(ValueError):
    """XML with more elements, attributes or longer tags than files of its kind have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits for one kind of file.

    In memory an element takes about 500 bytes, an attribute about 150 (measured with `tracemalloc`,
    CPython 3.11).
    """

    elements: int
    attributes: int


def parse_xml(content: bytes, limits: Limits) -> Element:
    """Parse XML and return its root. Raises BadXml and TooMuchXml before a tree is built."""
    _Count(limits).read(content)
    try:
        return fromstring(content, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise BadXml(str(error)) from error


class _Count:
    """A parser that only counts elements and attributes."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._elements = self._attributes = self._depth = 0
        self._parser = expat.ParserCreate()
        self._parser.ordered_attributes = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CommentHandler = self._beside
        self._parser.ProcessingInstructionHandler = self._beside
        self._parser.StartDoctypeDeclHandler = self._doctype

    def read(self, content: bytes) -> None:
        """Count the elements and attributes. Raises BadXml and TooMuchXml."""
        pieces = memoryview(content)
        try:
            for start in range(0, len(content), _PIECE):
                self._parser.Parse(pieces[start : start + _PIECE])
                if start + _PIECE - self._parser.CurrentByteIndex > _LONGEST_TAG:
                    raise TooMuchXml("endless-tag")
            self._parser.Parse(b"", True)  # noqa: FBT003 - it takes no keyword
        except (expat.ExpatError, LookupError, UnicodeError) as error:
            raise BadXml(str(error)) from error

    def _start(self, _name: str, attributes: list[str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise BadXml("too-deep")
        self._attributes += len(attributes) // 2
        self._beside()

    def _beside(self, *_said: object) -> None:
        """Count a comment or an instruction, which takes as long to read as an element."""
        self._elements += 1
        if self._elements > self._limits.elements or self._attributes > self._limits.attributes:
            raise TooMuchXml("too-many")

    def _end(self, _name: str) -> None:
        self._depth -= 1

    def _doctype(self, *_said: object) -> None:
        raise BadXml("doctype")
