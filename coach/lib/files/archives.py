"""Uploaded ZIP archives: sizes are checked before a member is read."""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

MOST_LISTING_BYTES: Final = 4 * 1024**2
"""Of an archive's directory: about 40,000 names. Each name costs Python six hundred bytes (rule of
thumb), so a listing of a gigabyte would take ten."""
UNREADABLE: Final = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(EOFError, KeyError, OSError, RuntimeError, ValueError),
)
"""Raised by `zipfile` for archives that are damaged, locked or packed in another way."""
_PIECE: Final = 64 * 1024
PACKED_SIMPLY: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Other methods may ask for gigabytes of memory before they give a byte."""


class MemberTooLarge(ValueError):
    """A member that unpacks to more bytes than its kind may have."""


class _Measured(io.BufferedReader):
    """A file that limits the size of the archive's directory while it is opened.

    `zipfile` reads the whole directory in one go.
    """

    is_opened = False

    def read(self, size: int | None = -1, /) -> bytes:
        if not self.is_opened and size is not None and size > MOST_LISTING_BYTES:
            raise zipfile.BadZipFile("long-listing")
        return super().read(size)


class _Archive(zipfile.ZipFile):
    """An archive that closes its source file when it is closed."""

    def __init__(self, file: _Measured) -> None:
        self._source = file
        try:
            super().__init__(file)
        except BaseException:
            file.close()
            raise
        file.is_opened = True

    def close(self) -> None:
        """Close the archive and its source file."""
        super().close()
        self._source.close()


def open_archive(source: Path | bytes) -> zipfile.ZipFile:
    """Open a ZIP archive. Raises BadZipFile if its directory is unusually large."""
    # A BytesIO is not a raw stream, but a buffered reader accepts it.
    raw: io.RawIOBase = io.BytesIO(source) if isinstance(source, bytes) else io.FileIO(source)  # type: ignore[assignment]
    return _Archive(_Measured(raw))


def open_member(archive: zipfile.ZipFile, name: str) -> zipfile.ZipExtFile:
    """Open a member for reading in pieces. Raises one of UNREADABLE."""
    info = archive.getinfo(name)
    if info.compress_type not in PACKED_SIMPLY:
        raise zipfile.BadZipFile("unusual-method")
    return archive.open(info)  # type: ignore[return-value]


def read_member(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Return a member of at most `most` bytes. Raises MemberTooLarge or one of UNREADABLE."""
    if archive.getinfo(name).file_size > most:
        raise MemberTooLarge(name)
    pieces, left = [], most
    with open_member(archive, name) as file:
        while piece := file.read(_PIECE):
            left -= len(piece)
            if left < 0:
                raise MemberTooLarge(name)
            pieces.append(piece)
    return b"".join(pieces)


def member_lines(archive: zipfile.ZipFile, name: str, longest: int) -> Iterator[str]:
    """Yield the lines of a UTF-8 text. Raises MemberTooLarge if a line has more than
    `longest` bytes.
    """
    with open_member(archive, name) as file:
        while line := file.readline(longest + 1):
            if len(line) > longest:
                raise MemberTooLarge(name)
            yield line.decode()
