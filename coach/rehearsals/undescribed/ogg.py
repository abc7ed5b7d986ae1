"""Ogg (RFC 3533): the comments of each stream are emptied, and their pages' checksums made anew.

The second packet of Vorbis, Opus, Theora, VP8 and Speex is a name of the program, its length before
it, and a list. The name becomes zeros that reach to the end, and the list has nothing in it.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from coach.rehearsals.undescribed import flac
from coach.rehearsals.undescribed.laying import Overlay, Window, with_changes

_HEADER = 27
_BEGINS = 2
_CHECKSUM = slice(22, 26)
_IN_FLAC = b"\x7fFLAC"
# How a stream begins, what its comments begin with, and what stands behind them.
_COMMENTS: tuple[tuple[bytes, bytes, bytes], ...] = (
    (b"\x01vorbis", b"\x03vorbis", b"\x01"),
    (b"OpusHead", b"OpusTags", b""),
    (b"\x80theora", b"\x81theora", b""),
    (b"OVP80\x01", b"OVP80\x02 ", b""),
    (b"Speex   ", b"", b""),
    (_IN_FLAC, b"", b""),
)
_COUNT_BYTES = 4
_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


@dataclass(slots=True)
class _Stream:
    """The packets at the beginning of one stream, as far as they are read."""

    first: bytes = b""
    ended: int = 0
    is_through: bool = False
    parts: list[tuple[int, int]] = field(default_factory=list)
    """Where the packet that is not at its end lies so far."""

    @property
    def format(self) -> tuple[bytes, bytes] | None:
        """What its comments begin with, and what stands behind them; None of one unknown to us."""
        known = (form[1:] for form in _COMMENTS if self.first.startswith(form[0]))
        return next(known, None)


class _Page:
    """One page: where it lies, of which stream it is, and which of its bytes end a packet."""

    def __init__(self, start: int, head: bytes, lacing: bytes) -> None:
        self.start, self.serial = start, head[14:18]
        self.begins_stream = bool(head[5] & _BEGINS)
        self.lacing = lacing
        self.inner = start + _HEADER + len(lacing)
        self.end = self.inner + sum(lacing)

    def parts(self) -> Iterator[tuple[int, int, bool]]:
        """Where the packets lie that it holds, and whether they end here."""
        at = start = self.inner
        for length in self.lacing:
            at += length
            if length < 255:
                yield start, at, True
                start = at
        if start < at:
            yield start, at, False


def changes_in(window: Window, start: int) -> Iterator[Overlay]:
    """What empties the comments at the beginning of each stream."""
    streams: dict[bytes, _Stream] = {}
    pages: list[_Page] = []
    changes: list[Overlay] = []
    for page in _pages(window, start):
        pages.append(page)
        stream = streams.setdefault(page.serial, _Stream())
        for first, last, is_end in () if stream.is_through else page.parts():
            stream.parts.append((first, last))
            if is_end:
                changes += _emptied(window, stream)
        # Every stream begins before any goes on; the first may describe the others (Skeleton).
        if not page.begins_stream and all(each.is_through for each in streams.values()):
            break
    changes.sort()
    yield from changes
    for page in pages:
        yield from _checked(window, page, changes)


def _pages(window: Window, start: int) -> Iterator[_Page]:
    at = start
    while window.take_part():
        head = window.bytes_at(at, _HEADER)
        if len(head) < _HEADER or not head.startswith(b"OggS"):
            return
        lacing = window.bytes_at(at + _HEADER, head[26])
        page = _Page(at, head, lacing)
        if len(lacing) < head[26] or page.end > window.size:
            return
        yield page
        at = page.end


def _emptied(window: Window, stream: _Stream) -> Iterator[Overlay]:
    """What empties the packet that has ended here, if it tells something."""
    number, stream.ended = stream.ended, stream.ended + 1
    parts, stream.parts = stream.parts, []
    if number == 0:
        stream.first = window.bytes_at(parts[0][0], len(_IN_FLAC) + 3)
        stream.is_through = stream.format is None
    elif stream.first.startswith(_IN_FLAC):
        yield from _in_flac(window, stream, parts)
    else:
        stream.is_through = True
        begins, ends = stream.format or (b"", b"")
        if window.bytes_at(parts[0][0], len(begins)) == begins:
            yield from _without_comments(parts, begins, ends)


def _in_flac(window: Window, stream: _Stream, parts: list[tuple[int, int]]) -> Iterator[Overlay]:
    """A packet is a metadata block, and the comments are the first of them."""
    head = window.bytes_at(parts[0][0], 4)
    stream.is_through = len(head) < 4 or bool(head[0] & flac.LAST)
    kind = head[0] & ~flac.LAST if head else flac.PADDING
    if kind == flac.COMMENTS:
        yield from _without_comments(parts, head, b"")
    elif kind not in flac.STAY:
        yield from _instead(parts, bytes([flac.PADDING | head[0] & flac.LAST]) + head[1:], b"")


def _without_comments(
    parts: list[tuple[int, int]], begins: bytes, ends: bytes
) -> Iterator[Overlay]:
    ends = bytes(_COUNT_BYTES) + ends
    room = sum(last - first for first, last in parts) - len(begins) - _COUNT_BYTES - len(ends)
    if room >= 0:
        yield from _instead(parts, begins + room.to_bytes(_COUNT_BYTES, "little"), ends)


def _instead(parts: list[tuple[int, int]], begins: bytes, ends: bytes) -> Iterator[Overlay]:
    """A packet that begins and ends so, with zeros between; it lies in parts on several pages."""
    left = sum(last - first for first, last in parts) - len(ends)
    for first, last in parts:
        middle = first + min(max(left, 0), last - first)
        yield Overlay(first, middle, begins[: middle - first])
        yield Overlay(middle, last, ends[max(-left, 0) :][: last - middle])
        begins = begins[middle - first :]
        left -= last - first


def _checked(window: Window, page: _Page, changes: list[Overlay]) -> Iterator[Overlay]:
    """The checksum of a page, if something of it is changed (RFC 3533, 6)."""
    first = bisect_left(changes, (page.inner,))
    inside = changes[first : bisect_left(changes, (page.end,))]
    if not inside:
        return
    data = with_changes(window.bytes_at(page.start, page.end - page.start), page.start, inside)
    data = data[: _CHECKSUM.start] + bytes(4) + data[_CHECKSUM.stop :]
    yield Overlay(
        page.start + _CHECKSUM.start,
        page.start + _CHECKSUM.stop,
        _checksum(data).to_bytes(4, "little"),
    )


def _checksum(data: bytes) -> int:
    """Ogg's has the polynomial of zlib's with the highest bit first, and begins with zero."""
    found = zlib.crc32(data.translate(_REVERSED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int.from_bytes(found.to_bytes(4, "little").translate(_REVERSED))
