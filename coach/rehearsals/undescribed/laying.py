"""A file that is read a little at a time, and what is laid over some of its bytes as it leaves."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

Read = Callable[[int, int], bytes]
"""So many bytes from some place on; fewer at the end of the file."""

MOST_PARTS = 1_000
"""Boxes, elements, chunks or pages that are looked at: a hostile file is made of nothing else, and
the first tell everything."""
MOST_READS = 250
"""Each is a request where recordings lie in a store, and the first byte waits for all of them."""
MOST_BYTES = 32 * 1024 * 1024
"""The tables of a film of some hours; who makes them longer is not served faster for it."""
_WINDOW_BYTES = 32 * 1024


class Overlay(NamedTuple):
    """From `start` to `end` leave these bytes, and zeros after them."""

    start: int
    end: int
    head: bytes = b""


class Window:
    """Reads a little ahead: headers lie near each other."""

    def __init__(self, read: Read, size: int) -> None:
        self._read, self.size = read, size
        self._start, self._kept = 0, b""
        self._left, self._reads, self._bytes = MOST_PARTS, MOST_READS, MOST_BYTES

    def bytes_at(self, start: int, length: int) -> bytes:
        """As many as there are; none once enough was read."""
        if not self._start <= start <= start + length <= self._start + len(self._kept):
            ahead = min(max(length, _WINDOW_BYTES), self.size - start)
            self._reads -= 1
            self._bytes -= max(ahead, 0)
            if self._bytes < 0:
                return b""
            self._start, self._kept = start, self._read(start, ahead) if ahead > 0 else b""
        at = start - self._start
        return self._kept[at : at + length]

    def take_part(self) -> bool:
        """Whether one more part may be looked at."""
        self._left -= 1
        return self._left >= 0 and self._reads > 0 and self._bytes > 0


def in_order(changes: Iterable[Overlay], size: int) -> tuple[Overlay, ...]:
    """By where they begin, none within another, none behind the end of the file."""
    found: list[Overlay] = []
    for each in sorted(changes, key=lambda change: (change.start, -change.end)):
        start = max(each.start, found[-1].end if found else 0)
        end = min(each.end, size)
        if found and start == found[-1].end and not each.head:
            found[-1] = found[-1]._replace(end=max(end, start))
        elif start < end:
            found.append(Overlay(start, end, each.head[start - each.start :]))
    return tuple(found)


def laid(pieces: Iterator[bytes], start: int, changes: Sequence[Overlay]) -> Iterator[bytes]:
    """The same pieces with these changes, which are in order."""
    ends = [each.end for each in changes]
    for piece in pieces:
        end = start + len(piece)
        first = bisect_left(ends, start + 1)
        last = bisect_left(changes, (end,), lo=first)
        yield with_changes(piece, start, changes[first:last]) if first < last else piece
        start = end


def with_changes(piece: bytes, start: int, changes: Iterable[Overlay]) -> bytes:
    """What leaves instead of these bytes, the first of which stands at `start`."""
    changed = bytearray(piece)
    for each in changes:
        first, last = max(each.start, start), min(each.end, start + len(piece))
        if first < last:
            head = each.head[first - each.start : last - each.start]
            changed[first - start : last - start] = head + bytes(last - first - len(head))
    return bytes(changed)
