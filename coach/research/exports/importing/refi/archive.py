"""ZIP archive of a project: checks sizes, and finds files however their paths are written."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Final
from xml.etree.ElementTree import Element

from coach.lib.files.archives import UNREADABLE, open_archive, read_member
from coach.lib.files.xml_files import BadXml, Limits, TooMuchXml, parse_xml
from coach.research.coding.interviews.reading.encodings import decode
from coach.research.exports.importing.reading import NotABundle

_MOST_PROJECT_BYTES: Final = 64 * 1024**2
"""100,000 codings take about 40 MB (rule of thumb)."""
_LIMITS: Final = Limits(elements=1_000_000, attributes=3_000_000)
"""A coding has about three elements and thirteen attributes (rule of thumb)."""
_MOST_TEXT_BYTES: Final = 16 * 1024**2
_MOST_FILES: Final = 20_000
_MOST_BYTES_IN_ALL: Final = 512 * 1024**2
"""Read, also where one file is asked for again and again (rule of thumb)."""
_DECLARATION: Final = re.compile(r"^\s*<\?xml[^>]*\?>")
_SCHEME: Final = re.compile(r"^(?:internal|relative)://+", re.IGNORECASE)


class NotRefi(NotABundle):
    """A file that is not a project, or cannot be read; the message names the place."""

    code = "not_refi"


def is_refi(path: Path) -> bool:
    """Return whether this is a ZIP archive with a project file."""
    try:
        with open_archive(path) as archive:
            return any(name.lower().endswith(".qde") for name in archive.namelist()[:_MOST_FILES])
    except UNREADABLE:
        return False


class Archive:
    """The files of a project. Use `with`; every read raises NotRefi on failure."""

    def __init__(self, source: Path | bytes) -> None:
        try:
            self._zip = open_archive(source)
        except UNREADABLE as error:
            raise NotRefi("project.qde") from error
        self._left = _MOST_BYTES_IN_ALL
        names = [name for name in self._zip.namelist() if not name.endswith("/")]
        if len(names) > _MOST_FILES:
            raise NotRefi("sources/")
        # Some tools write Sources/, some put texts next to the project, some change the case of
        # paths.
        self._by_end = {PurePosixPath(name).name.lower(): name for name in names}
        self._by_path = {name.lower(): name for name in names}

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_what: object) -> None:
        self._zip.close()

    def project(self) -> Element:
        """Return the root of project.qde."""
        names = [name for end, name in self._by_end.items() if end.endswith(".qde")]
        if not names:
            raise NotRefi("project.qde")
        return root_of(self._read(names[0], _MOST_PROJECT_BYTES), names[0])

    def file(self, path: str) -> bytes | None:
        """Return the file of a path attribute; None if it is external or missing."""
        plain = _SCHEME.sub("", path.replace("\\", "/")).lower()
        name = self._by_path.get(plain) or self._by_path.get(f"sources/{plain}")
        name = name or self._by_end.get(PurePosixPath(plain).name)
        return self._read(name, _MOST_TEXT_BYTES) if name else None

    def _read(self, name: str, most: int) -> bytes:
        try:
            content = read_member(self._zip, name, min(most, self._left))
        except UNREADABLE as error:
            raise NotRefi(name) from error
        self._left -= len(content)
        return content


def root_of(content: bytes, name: str) -> Element:
    """Return the root of an XML file in any encoding, without a DTD. Raises NotRefi."""
    try:
        return parse_xml(content.lstrip(), _LIMITS)
    except BadXml:
        return _parsed_again(content, name)
    except TooMuchXml as error:
        raise NotRefi(name) from error


def _parsed_again(content: bytes, name: str) -> Element:
    """Parse a file whose declared encoding differs from the actual one."""
    text = _DECLARATION.sub("", decode(content)[0].lstrip("\N{ZERO WIDTH NO-BREAK SPACE}"))
    try:
        return parse_xml(text.encode(), _LIMITS)
    except (BadXml, TooMuchXml) as error:
        raise NotRefi(name) from error
