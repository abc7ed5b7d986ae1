"""Which kind of file it is, by its first bytes, and where such a file tells more."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coach.rehearsals.undescribed import asf, films, flac, flash, matroska, ogg, riff, tags
from coach.rehearsals.undescribed.laying import Overlay, Read, Window, in_order

_Changes = Callable[[Window, int], Iterator[Overlay]]
"""Of a file whose own bytes begin at some place."""

_BY_FIRST_BYTES: tuple[tuple[bytes, _Changes], ...] = (
    (b"\x1aE\xdf\xa3", matroska.changes_in),
    (b"RIFF", riff.changes_in),
    (b"RF64", riff.changes_in),
    (b"BW64", riff.changes_in),
    (b"OggS", ogg.changes_in),
    (b"fLaC", flac.changes_in),
    (asf.FIRST, asf.changes_in),
    (flash.FIRST, flash.changes_in),
)
_MOST_BYTES = 8
_MPEG_PROGRAM = b"\x00\x00\x01\xba"
_TS_MARK, _TS_PACKET, _BLU_RAY_PACKET, _MARK_BEHIND = 0x47, 188, 192, 4


def tells_between_pictures(read: Read) -> bool:
    """Whether it is MPEG (MPG, TS, M2TS): what a camcorder tells there cannot be laid over."""
    head = read(0, _BLU_RAY_PACKET + 1 + _MARK_BEHIND)
    if head.startswith(_MPEG_PROGRAM):
        return True
    return any(
        len(head) > at + packet and head[at] == head[at + packet] == _TS_MARK
        for at, packet in ((0, _TS_PACKET), (_MARK_BEHIND, _BLU_RAY_PACKET))
    )


def changes_of(read: Read, size: int) -> tuple[Overlay, ...]:
    """What to lay over such a file so that it tells of nothing but picture and sound, in order."""
    window = Window(read, size)
    return in_order(_changes(window), size)


def _changes(window: Window) -> Iterator[Overlay]:
    start = 0
    for tag in tags.before(window):
        yield from tag.changes
        start = tag.end
    head = window.bytes_at(start, _MOST_BYTES)
    for first_bytes, changes_in in _BY_FIRST_BYTES:
        if head.startswith(first_bytes):
            yield from changes_in(window, start)
            break
    else:
        if head[4:] in films.FIRST:
            yield from films.changes_in(window, start)
            return
    # Behind sound that is nothing else: MP3, also where junk stands before it, FLAC sometimes.
    if start or not _is_known(head) or head.startswith(b"fLaC"):
        yield from tags.behind(window)


def _is_known(head: bytes) -> bool:
    return any(head.startswith(first_bytes) for first_bytes, _changes_in in _BY_FIRST_BYTES)
