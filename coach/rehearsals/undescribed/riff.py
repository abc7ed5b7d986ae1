"""WAV and AVI (RIFF): what playing does not need becomes junk, which every reader passes over.

A WAV of more than 4 GB (RF64 or BW64; EBU Tech 3306, ITU-R BS.2088) says how long its sound is in a
chunk of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from coach.rehearsals.undescribed.laying import Overlay, Window

_STAY = frozenset({b"RIFF", b"fmt ", b"fact", b"ds64", b"data", b"cue ", b"slnt"}) | frozenset(
    {b"avih", b"strh", b"strf", b"strd", b"indx", b"dmlh", b"vprp", b"idx1"}
)
"""What a player needs. Recorders, cameras and editors write more than anybody has listed: who, when
and where, also into what they call junk."""
_LISTS_STAY = frozenset({b"hdrl", b"strl", b"odml", b"movi", b"rec ", b"wavl"})
_OPEN_LISTS = frozenset({b"hdrl", b"strl"})
"""Of an AVI, which describe it and its streams: the chunks that they hold follow."""
_MAKERS = (b"AVIF", b"CASI", b"Zora")
"""So what a camera says of itself begins where others tell a decoder something (`strd`)."""
_LONG = 0xFFFFFFFF
"""Such a length stands elsewhere."""
_HEADER = 8


def changes_in(window: Window, start: int) -> Iterator[Overlay]:
    """The chunks that tell more than picture and sound."""
    at, sound = start + 12, _LONG
    while at + _HEADER <= window.size and window.take_part():
        head = window.bytes_at(at, _HEADER + 4)
        kind, length = head[:4], int.from_bytes(head[4:_HEADER], "little")
        if not _stays(head) and _is_chunk(kind):
            yield Overlay(at, at + 4, b"JUNK")
            yield Overlay(at + _HEADER, at + _HEADER + length)
        if kind == b"ds64":
            sound = int.from_bytes(window.bytes_at(at + _HEADER + 8, 8), "little")
        if kind == b"data" and length == _LONG:
            length = sound
        if (kind in {b"data", b"LIST"} and not length) or not _is_chunk(kind):
            return  # Whoever recorded never came back to write how long it is: the rest is of it.
        # A long AVI goes on in a second RIFF.
        is_open = kind == b"RIFF" or (kind == b"LIST" and head[_HEADER:] in _OPEN_LISTS)
        at += len(head) if is_open else _HEADER + length + length % 2


def _is_chunk(kind: bytes) -> bool:
    return all(0x20 <= byte < 0x7F for byte in kind)


def _stays(head: bytes) -> bool:
    kind, begins = head[:4], head[_HEADER:]
    if kind == b"LIST":
        return begins in _LISTS_STAY
    if kind == b"strd":
        return begins not in _MAKERS
    # Of a film that was cut off pieces of picture and sound stand alone ("01wb", "ix00").
    return kind in _STAY or kind[:2].isdigit() or kind[:2] == b"ix"
