"""Streaming XML writer in UTF-8, without characters that XML forbids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

_NOT_IN_XML = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class XmlWriter:
    """A writer of elements in UTF-8, without buffering."""

    def __init__(self, file: IO[bytes]) -> None:
        self._xml = XMLGenerator(file, "utf-8", short_empty_elements=True)
        self._xml.startDocument()

    @contextmanager
    def element(self, name: str, /, **attributes: object) -> Iterator[None]:
        """Write an element around the block; attributes that are None are left out."""
        said = {key: _clean(str(value)) for key, value in attributes.items() if value is not None}
        self._xml.startElement(name, AttributesImpl(said))
        yield
        self._xml.endElement(name)

    def leaf(self, name: str, words: str = "", /, **attributes: object) -> None:
        """Write an element with text or without content."""
        with self.element(name, **attributes):
            if words:
                self._xml.characters(_clean(words))


def _clean(words: str) -> str:
    """Replace characters that XML 1.0 forbids."""
    return _NOT_IN_XML.sub("\ufffd", words)
