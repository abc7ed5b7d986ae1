"""WAV and AVI (RIFF): chunks that tell become chunks of junk, which every reader passes over.

A WAV of more than 4 GB (RF64 or BW64; EBU Tech 3306, ITU-R BS.2088) says how long its sound is in a
chunk of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from coach.rehearsals.undescribed.laying import Overlay, Window

_TELLING = frozenset(
    {b"bext", b"iXML", b"axml", b"cart", b"id3 ", b"ID3 ", b"_PMX", b"IDIT", b"strn"}
)
"""Of broadcasters and recorders, tags, XMP, when a camera took it, names of streams."""
_TELLING_LISTS = frozenset({b"INFO", b"exif"})
_OPEN_LISTS = frozenset({b"hdrl", b"strl"})
"""Of an AVI, which describe it and its streams: the chunks that they hold follow."""
_LONG = 0xFFFFFFFF
"""Such a length stands elsewhere."""
_HEADER = 8


def changes_in(window: Window, start: int) -> Iterator[Overlay]:
    """The chunks that tell more than picture and sound."""
    at, sound = start + 12, _LONG
    while at + _HEADER <= window.size and window.take_part():
        head = window.bytes_at(at, _HEADER + 4)
        kind, length = head[:4], int.from_bytes(head[4:_HEADER], "little")
        if kind in _TELLING or (kind == b"LIST" and head[_HEADER:] in _TELLING_LISTS):
            yield Overlay(at, at + 4, b"JUNK")
            yield Overlay(at + _HEADER, at + _HEADER + length)
        if kind == b"ds64":
            sound = int.from_bytes(window.bytes_at(at + _HEADER + 8, 8), "little")
        if kind == b"data" and length == _LONG:
            length = sound
        # A long AVI goes on in a second RIFF.
        is_open = kind == b"RIFF" or (kind == b"LIST" and head[_HEADER:] in _OPEN_LISTS)
        at += len(head) if is_open else _HEADER + length + length % 2
