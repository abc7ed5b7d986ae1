"""FLAC (RFC 9639): everything but what a player needs becomes padding."""

from __future__ import annotations

from collections.abc import Iterator

from coach.rehearsals.undescribed.laying import Overlay, Window

PADDING, COMMENTS = 1, 4
_STREAM, _PLACES = 0, 3
STAY = frozenset({_STREAM, _PLACES})
"""How it is to be decoded, and where one can go on; others hold comments, pictures, the numbers of
a disc, what programs add, and what the next standard brings."""
LAST = 0x80
_HEADER = 4


def changes_in(window: Window, start: int) -> Iterator[Overlay]:
    """The metadata blocks that tell more than sound."""
    at, is_last = start + len(b"fLaC"), False
    while not is_last and at + _HEADER <= window.size and window.take_part():
        head = window.bytes_at(at, _HEADER)
        is_last, kind, length = bool(head[0] & LAST), head[0] & ~LAST, int.from_bytes(head[1:])
        if kind not in STAY:
            yield Overlay(at, at + 1, bytes([PADDING | (head[0] & LAST)]))
            yield Overlay(at + _HEADER, at + _HEADER + length)
        at += _HEADER + length
