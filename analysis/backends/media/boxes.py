"""Top-level boxes of an MP4 or QuickTime file: detects a missing end or index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_HEADER, _LONG_HEADER = 8, 16
_MOST_BOXES = 10_000
"""Limit against hostile files that consist of empty boxes."""
_INDEX = frozenset({b"moov", b"moof"})


def lacks_its_index(path: Path) -> bool:
    """Return whether the file has media data but no complete index of it.

    Cameras write the index last ("moov", ISO/IEC 14496-12, 8.2), so a file that was cut off during
    recording or copying has none. Raises OSError.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        boxes = list(_boxes(file, size))
    whole = {kind for kind, end in boxes if end <= size}
    return any(kind == b"mdat" for kind, _ in boxes) and not whole & _INDEX


def _boxes(file: BinaryIO, size: int) -> Iterator[tuple[bytes, int]]:
    """Yield the kind of each box and its claimed end offset."""
    at = 0
    for _ in range(_MOST_BOXES):
        file.seek(at)
        head = file.read(_LONG_HEADER)
        if len(head) < _HEADER:
            return
        length, kind = int.from_bytes(head[:4]), head[4:_HEADER]
        if length == 1:  # The length has 64 bits and follows the kind.
            length = int.from_bytes(head[_HEADER:])
        elif length == 0:  # The box extends to the end of the file.
            length = size - at
        if length < _HEADER:
            return
        at += length
        yield kind, at
        if at >= size:
            return
