"""XML as it is written here: in UTF-8, element by element, without what XML cannot hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

_NOT_IN_XML = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class XmlWriter:
    """Elements in UTF-8, written as they come."""

    def __init__(self, file: IO[bytes]) -> None:
        self._xml = XMLGenerator(file, "utf-8", short_empty_elements=True)
        self._xml.startDocument()

    @contextmanager
    def element(self, name: str, /, **attributes: object) -> Iterator[None]:
        """Open and close; None leaves an attribute out."""
        said = {key: _clean(str(value)) for key, value in attributes.items() if value is not None}
        self._xml.startElement(name, AttributesImpl(said))
        yield
        self._xml.endElement(name)

    def leaf(self, name: str, words: str = "", /, **attributes: object) -> None:
        """An element with text or nothing in it."""
        with self.element(name, **attributes):
            if words:
                self._xml.characters(_clean(words))


def _clean(words: str) -> str:
    """Without what XML 1.0 cannot hold."""
    return _NOT_IN_XML.sub("\ufffd", words)
