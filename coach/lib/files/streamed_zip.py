"""ZIP archives that are sent while they are built, without a temporary file and with little
memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import RawIOBase
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from django.utils import timezone

_YEARS_OF_ZIP = 1980

Member = tuple[str, Iterable[bytes]]
"""The name of a file in it, and its bytes in pieces."""


def streamed_zip(members: Iterable[Member]) -> Iterator[bytes]:
    """Yield the bytes of an uncompressed archive, piece by piece."""
    sink = _Sink()
    with ZipFile(sink, "w", ZIP_STORED, allowZip64=True) as archive:
        for name, pieces in members:
            with archive.open(_entry(name), "w", force_zip64=True) as member:
                for piece in pieces:
                    member.write(piece)
                    yield sink.taken()
    yield sink.taken()


def _entry(name: str) -> ZipInfo:
    now = timezone.localtime()
    return ZipInfo(name, (max(now.year, _YEARS_OF_ZIP), *now.timetuple()[1:6]))


class _Sink(RawIOBase):
    """A write-only stream that buffers bytes until they are taken; like a connection, it
    cannot seek.
    """

    def __init__(self) -> None:
        self._kept = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, piece: bytes) -> int:  # type: ignore[override]
        self._kept += piece
        return len(piece)

    def taken(self) -> bytes:
        """Return and clear the bytes buffered since the last call."""
        piece = bytes(self._kept)
        self._kept.clear()
        return piece
