"""WAV and AVI (RIFF): chunks that tell become chunks of junk, which every reader passes over."""

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
_HEADER = 8


def changes_in(window: Window, start: int) -> Iterator[Overlay]:
    """The chunks that tell more than picture and sound."""
    at = start + 12
    while at + _HEADER <= window.size and window.take_part():
        head = window.bytes_at(at, _HEADER + 4)
        kind, length = head[:4], int.from_bytes(head[4:_HEADER], "little")
        if kind in _TELLING or (kind == b"LIST" and head[_HEADER:] in _TELLING_LISTS):
            yield Overlay(at, at + 4, b"JUNK")
            yield Overlay(at + _HEADER, at + _HEADER + length)
        # A long AVI goes on in a second RIFF.
        is_open = kind == b"RIFF" or (kind == b"LIST" and head[_HEADER:] in _OPEN_LISTS)
        at += len(head) if is_open else _HEADER + length + length % 2
