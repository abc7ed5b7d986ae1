"""MP4 and QuickTime files (ISO/IEC 14496-12): boxes that tell become free space."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

from coach.rehearsals.undescribed.laying import Overlay, Window

FIRST = frozenset(
    {b"ftyp", b"moov", b"mdat", b"moof", b"styp", b"sidx", b"wide", b"free", b"skip", b"pnot"}
)
"""What such a file begins with."""
_TELLING = frozenset({b"udta", b"meta", b"uuid"})
"""Words of users, descriptions, and what programs add (XMP among it)."""
_SEEN_OR_HEARD = frozenset({b"vide", b"soun", b"auxv", b"hint", b"tmcd"})
"""Tracks that leave; others tell places, movements or words moment by moment."""
_WORD, _HEADER, _LONG_HEADER = 4, 8, 16
_MOST_CHUNKS, _MOST_SAMPLES = 20_000, 2_000_000
"""Of tracks that tell: five chunks each second and 500 samples each second of an hour."""
_MOST_MEDIA = 100
"""Outermost boxes that hold what is seen and heard, within which alone samples are emptied."""


@dataclass(frozen=True, slots=True)
class Box:
    """Where a box begins, where what it holds begins, and where it ends."""

    start: int
    inner: int
    end: int
    kind: bytes


def changes_in(window: Window, start: int) -> Iterator[Overlay]:
    """The boxes that tell more than picture and sound, and the samples of such tracks."""
    media, tracks = [], []
    for box in _outer_boxes(window, start):
        if box.kind in _TELLING:
            yield from _freed(box)
        elif box.kind == b"mdat":
            media.append(box)
        elif box.kind == b"trak" and _tells(window, box):
            tracks.append(box)
            yield from _freed(box)
        elif box.kind == b"trak":
            yield from _in_track(window, box)
    samples = chain.from_iterable(_samples(window, track) for track in tracks)
    for each in islice(samples, _MOST_CHUNKS):
        if any(box.inner <= each.start < each.end <= box.end for box in media[:_MOST_MEDIA]):
            yield each


def _outer_boxes(window: Window, start: int) -> Iterator[Box]:
    """The outermost, and within the film's description what describes it and its tracks.

    Browsers record thousands of fragments; behind the first of them nothing is described.
    """
    is_described = False
    for box in _boxes(window, start, window.size):
        if box.kind == b"moof" and is_described:
            return
        if box.kind == b"moov":
            is_described = True
            yield from _boxes(window, box.inner, box.end)
        else:
            yield box


def _in_track(window: Window, track: Box) -> Iterator[Overlay]:
    for box in _boxes(window, track.inner, track.end):
        if box.kind in _TELLING:
            yield from _freed(box)


def _freed(box: Box) -> Iterator[Overlay]:
    """Free space with the same header but for its kind."""
    yield Overlay(box.start + 4, box.start + _HEADER, b"free")
    yield Overlay(box.inner, box.end)


def _boxes(window: Window, start: int, end: int) -> Iterator[Box]:
    at = start
    while at + _HEADER <= end and window.take_part():
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


def _found(window: Window, box: Box, *path: bytes) -> Box | None:
    """The first box of these kinds, each within the one before."""
    found: Box | None = box
    for kind in path:
        if found is None:
            return None
        inside = _boxes(window, found.inner, found.end)
        found = next((each for each in inside if each.kind == kind), None)
    return found


def _tells(window: Window, track: Box) -> bool:
    """Whether a track describes the others moment by moment: places, for instance."""
    handler = _found(window, track, b"mdia", b"hdlr")
    return handler is not None and window.bytes_at(handler.inner + 8, 4) not in _SEEN_OR_HEARD


def _samples(window: Window, track: Box) -> Iterator[Overlay]:
    """Where the samples of a track lie, chunk by chunk; as far as its tables can be believed."""
    table = _found(window, track, b"mdia", b"minf", b"stbl")
    if table is None:
        return
    boxes = {box.kind: box for box in _boxes(window, table.inner, table.end)}
    sizes = _Sizes(window, boxes.get(b"stsz"))
    counts = _numbers(window, boxes.get(b"stsc"), _WORD, 3 * _MOST_CHUNKS, each=3)
    offsets = _numbers(window, boxes.get(b"stco"), _WORD, _MOST_CHUNKS)
    offsets = offsets or _numbers(window, boxes.get(b"co64"), 2 * _WORD, _MOST_CHUNKS)
    runs = list(zip(counts[::3], counts[1::3], strict=False))
    run, first = -1, 0
    for number, start in enumerate(offsets, 1):
        while run + 1 < len(runs) and runs[run + 1][0] <= number:
            run += 1
        count = runs[run][1] if run >= 0 else 0
        end = start + sizes.of(first, count)
        first += count
        yield Overlay(start, end)


class _Sizes:
    """How long samples are: all of one length, or each of its own."""

    def __init__(self, window: Window, box: Box | None) -> None:
        head = window.bytes_at(box.inner + 4, 4) if box else b""
        self._one = int.from_bytes(head)
        self._each = _numbers(window, box, _WORD, _MOST_SAMPLES, behind=8)

    def of(self, first: int, count: int) -> int:
        """Of so many samples together."""
        return self._one * count if self._one else sum(self._each[first : first + count])


def _numbers(
    window: Window, box: Box | None, width: int, most: int, *, each: int = 1, behind: int = 4
) -> array[int]:
    """The numbers of a table, which stand behind their count."""
    numbers = array("I" if width == _WORD else "Q")
    if box is not None:
        at = box.inner + behind
        said = int.from_bytes(window.bytes_at(at, _WORD)) * each
        room = max(box.end - at - _WORD, 0) // width
        data = window.bytes_at(at + _WORD, min(said, room, most) * width)
        numbers.frombytes(data[: len(data) // width * width])
        if sys.byteorder == "little":
            numbers.byteswap()
    return numbers
