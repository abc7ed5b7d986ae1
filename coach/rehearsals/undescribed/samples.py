"""Where the samples of a track of an MP4 or QuickTime file lie, as far as its tables say."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from coach.rehearsals.undescribed.boxes import Box, boxes_in, found
from coach.rehearsals.undescribed.laying import Overlay, Window

_WORD = 4
_MOST_CHUNKS, _MOST_SAMPLES = 20_000, 2_000_000
"""Of tracks that tell: five chunks each second and 500 samples each second of an hour."""
_MOST_STARTS = 250_000
"""Of tracks that stay: those of two hours with a chunk for each frame of sound."""


def within(media: Sequence[Box], told: Iterable[Overlay]) -> Iterator[Overlay]:
    """Of these only what lies in a box of media, which are in order."""
    starts = [box.inner for box in media]
    for each in told:
        number = bisect_right(starts, each.start) - 1
        if number >= 0 and each.start < each.end <= media[number].end:
            yield each


def are_within(media: Sequence[Box], starts: Sequence[int]) -> bool:
    """Whether each of these places lies in a box of media."""
    begins = [box.inner for box in media]
    numbers = ((bisect_right(begins, at) - 1, at) for at in starts)
    return all(number >= 0 and at < media[number].end for number, at in numbers)


def starts_of(window: Window, track: Box) -> Sequence[int] | None:
    """Where the chunks of a track begin; None where there are too many to look at."""
    table = found(window, track, b"mdia", b"minf", b"stbl")
    if table is None:
        return ()
    boxes = {box.kind: box for box in boxes_in(window, table.inner, table.end)}
    offsets = _offsets(window, boxes, _MOST_STARTS + 1)
    return offsets if len(offsets) <= _MOST_STARTS else None


def of_tracks(window: Window, tracks: Iterable[Box]) -> Iterator[Overlay]:
    """Chunk by chunk, those of some hours."""
    return islice(chain.from_iterable(_of_track(window, track) for track in tracks), _MOST_CHUNKS)


def _of_track(window: Window, track: Box) -> Iterator[Overlay]:
    table = found(window, track, b"mdia", b"minf", b"stbl")
    if table is None:
        return
    boxes = {box.kind: box for box in boxes_in(window, table.inner, table.end)}
    sizes = _Sizes(window, boxes.get(b"stsz"))
    counts = _numbers(window, boxes.get(b"stsc"), _WORD, 3 * _MOST_CHUNKS, each=3)
    runs = list(zip(counts[::3], counts[1::3], strict=False))
    run, first = -1, 0
    for number, start in enumerate(_offsets(window, boxes, _MOST_CHUNKS), 1):
        while run + 1 < len(runs) and runs[run + 1][0] <= number:
            run += 1
        count = runs[run][1] if run >= 0 else 0
        end = start + sizes.of(first, count)
        first += count
        yield Overlay(start, end)


def _offsets(window: Window, boxes: dict[bytes, Box], most: int) -> array[int]:
    offsets = _numbers(window, boxes.get(b"stco"), _WORD, most)
    return offsets or _numbers(window, boxes.get(b"co64"), 2 * _WORD, most)


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


# In fragments: what a track's header and its runs say, by their flags (14496-12, 8.8.7 and 8.8.8).
_HAS_BASE, _HAS_DESCRIPTION, _HAS_DURATION, _HAS_SIZE = 0x1, 0x2, 0x8, 0x10
_HAS_OFFSET, _HAS_FIRST_FLAGS = 0x1, 0x4
_EACH_HAS_SIZE = 0x200
_OF_EACH = (0x100, _EACH_HAS_SIZE, 0x400, 0x800)
_MOST_IN_RUN = 100_000


def default_sizes(window: Window, moov: Box, tracks: Iterable[Box]) -> dict[int, int]:
    """Of these tracks that go on in fragments: how long a sample is that does not say it."""
    goes = {_number_of(window, track) for track in tracks}
    extends = found(window, moov, b"mvex")
    sizes = dict.fromkeys(goes, 0)
    for box in boxes_in(window, extends.inner, extends.end) if extends else ():
        if box.kind == b"trex" and (number := _word(window, box.inner + 4)) in goes:
            sizes[number] = _word(window, box.inner + 16)
    return sizes


def _number_of(window: Window, track: Box) -> int:
    head = found(window, track, b"tkhd")
    if head is None:
        return 0
    is_long = window.bytes_at(head.inner, 1) == b"\1"
    return _word(window, head.inner + (20 if is_long else 12))


def of_fragment(
    window: Window, moof: Box, part: Box, sizes: dict[int, int]
) -> list[Overlay] | None:
    """Run by run what a fragment holds of one of these tracks; None where it is of another."""
    inside = list(boxes_in(window, part.inner, part.end))
    head = next((box for box in inside if box.kind == b"tfhd"), None)
    number = _word(window, head.inner + 4) if head else -1
    if head is None or number not in sizes:
        return None
    flags, at, base, size = _word(window, head.inner), head.inner + 8, moof.start, sizes[number]
    if flags & _HAS_BASE:
        base, at = int.from_bytes(window.bytes_at(at, 8)), at + 8
    at += _WORD * (bool(flags & _HAS_DESCRIPTION) + bool(flags & _HAS_DURATION))
    if flags & _HAS_SIZE:
        size = _word(window, at)
    told: list[Overlay] = []
    for run in (box for box in inside if box.kind == b"trun"):
        told.append(_of_run(window, run, base=base, then=told[-1].end if told else base, size=size))
    return told


def _of_run(window: Window, run: Box, *, base: int, then: int, size: int) -> Overlay:
    flags, count, at = _word(window, run.inner), _word(window, run.inner + 4), run.inner + 8
    if flags & _HAS_OFFSET:
        then = base + int.from_bytes(window.bytes_at(at, _WORD), signed=True)
        at += _WORD
    at += _WORD * bool(flags & _HAS_FIRST_FLAGS)
    if not flags & _EACH_HAS_SIZE:
        return Overlay(max(then, 0), max(then, 0) + count * size)
    width = sum(bool(flags & each) for each in _OF_EACH)
    place = bool(flags & _OF_EACH[0])
    room = max(run.end - at, 0) // (_WORD * width)
    data = window.bytes_at(at, min(count, room, _MOST_IN_RUN) * width * _WORD)
    words = array("I", data[: len(data) // _WORD * _WORD])
    if sys.byteorder == "little":
        words.byteswap()
    return Overlay(max(then, 0), max(then, 0) + sum(words[place::width]))


def _word(window: Window, at: int) -> int:
    """Flags stand in one behind a version, which they have no place for."""
    return int.from_bytes(window.bytes_at(at, _WORD))
