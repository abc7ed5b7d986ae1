"""What leaves of a recording: its picture and sound, not what a telephone wrote beside them.

A film says where and when it was taken, with which device, and sometimes by whom. Whoever may open
a recording gets its file, so these boxes of an MP4 or QuickTime file (ISO/IEC 14496-12) leave as
free space of the same length: every place in the file stays, and a player seeks as before. In
custody nothing is changed, and its owner downloads it whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from coach.rehearsals.custody import custody
from coach.rehearsals.custody.port import Pieces

_TELLING = frozenset({b"udta", b"meta", b"uuid"})
"""Words of users, descriptions, and what programs add (XMP among it)."""
_INSIDE = frozenset({b"moov", b"trak"})
"""Where those lie, beside the outermost boxes."""
_FIRST = frozenset({b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot"})
"""What such a file begins with."""
_HEADER, _LONG_HEADER = 8, 16
_MOST_BOXES = 1_000
"""Of a film in fragments the first tell everything; a hostile file is made of nothing else."""
_WINDOW_BYTES = 4096
_REMEMBERED = 2_000


@dataclass(frozen=True, slots=True)
class Box:
    """Where a box begins, where what it holds begins, and where it ends."""

    start: int
    inner: int
    end: int
    kind: bytes


_Read = Callable[[int, int], bytes]


def read_undescribed(
    name: str, *, size: int | None, start: int = 0, length: int | None = None
) -> Iterator[bytes]:
    """As custody reads it, without what tells of more than picture and sound; `size`: of all of it.

    Raises what that raises, at once.
    """
    telling = _telling_of(name, size) if size else ()
    pieces = custody().read(name, start=start, length=length)
    if not telling:
        return pieces
    return Pieces(_emptied(pieces, start, telling), getattr(pieces, "close", lambda: None))


@lru_cache(maxsize=_REMEMBERED)
def _telling_of(name: str, size: int) -> tuple[Box, ...]:
    """A recording never changes: each process looks once, though a player asks often."""
    return telling_boxes(
        lambda start, length: b"".join(custody().read(name, start=start, length=length)), size
    )


def telling_boxes(read: _Read, size: int) -> tuple[Box, ...]:
    """The boxes of a file that tell more than picture and sound, in their order."""
    window = _Window(read, size)
    if window.bytes_at(4, 4) not in _FIRST:
        return ()
    return tuple(_walk(window, 0, size, [_MOST_BOXES]))


class _Window:
    """Reads a little ahead: headers lie near each other."""

    def __init__(self, read: _Read, size: int) -> None:
        self._read, self._size = read, size
        self._start, self._kept = 0, b""

    def bytes_at(self, start: int, length: int) -> bytes:
        """As many as there are."""
        if not self._start <= start <= start + length <= self._start + len(self._kept):
            ahead = min(max(length, _WINDOW_BYTES), self._size - start)
            self._start, self._kept = start, self._read(start, ahead) if ahead > 0 else b""
        at = start - self._start
        return self._kept[at : at + length]


def _walk(window: _Window, start: int, end: int, left: list[int]) -> Iterator[Box]:
    for box in _boxes(window, start, end, left):
        if box.kind in _TELLING or (box.kind == b"trak" and _is_of_words(window, box, left)):
            yield box
        elif box.kind in _INSIDE:
            yield from _walk(window, box.inner, box.end, left)


def _boxes(window: _Window, start: int, end: int, left: list[int]) -> Iterator[Box]:
    at = start
    while at + _HEADER <= end and left[0] > 0:
        left[0] -= 1
        head = window.bytes_at(at, _LONG_HEADER)
        length, kind, header = int.from_bytes(head[:4]), head[4:_HEADER], _HEADER
        if length == 1:  # It has 64 bits and stands behind the kind.
            length, header = int.from_bytes(head[_HEADER:]), _LONG_HEADER
        elif length == 0:  # To the end.
            length = end - at
        if length < header:
            return
        yield Box(at, min(at + header, end), min(at + length, end), kind)
        at += length


def _is_of_words(window: _Window, track: Box, left: list[int]) -> bool:
    """Whether a track describes the others moment by moment: places, for instance."""
    for media in _boxes(window, track.inner, track.end, left):
        if media.kind == b"mdia":
            for box in _boxes(window, media.inner, media.end, left):
                if box.kind == b"hdlr":
                    return window.bytes_at(box.inner + 8, 4) == b"meta"
    return False


def _emptied(pieces: Iterator[bytes], start: int, telling: tuple[Box, ...]) -> Iterator[bytes]:
    """The same pieces, in which these boxes are free space."""
    for piece in pieces:
        end = start + len(piece)
        inside = [box for box in telling if box.start < end and box.end > start]
        yield _freed(piece, start, inside) if inside else piece
        start = end


def _freed(piece: bytes, start: int, boxes: list[Box]) -> bytes:
    changed = bytearray(piece)
    for box in boxes:
        _lay(changed, box.start + 4 - start, b"free")
        first, last = max(box.inner - start, 0), min(box.end - start, len(piece))
        changed[first:last] = bytes(max(last - first, 0))
    return bytes(changed)


def _lay(over: bytearray, at: int, what: bytes) -> None:
    """What of it lies inside."""
    for place, each in enumerate(what, at):
        if 0 <= place < len(over):
            over[place] = each
