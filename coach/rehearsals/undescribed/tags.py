"""Tags before and behind sound, emptied in their own length.

ID3 and Lyrics3 (id3.org), APE (its wiki).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from coach.rehearsals.undescribed.laying import Overlay, Window

_HEADER = 10
_HAS_FOOTER = 0x10
_OLD, _OLD_BYTES = b"TAG", 128
_MORE, _MORE_BYTES = b"TAG+", 227
_NO_GENRE = b"\xff"
_APE, _APE_BYTES = b"APETAGEX", 32
_SUNG, _SUNG_ENDS, _SUNG_DIGITS = b"LYRICSBEGIN", b"LYRICS200", 6


class Tag(NamedTuple):
    """What empties a tag, and where it ends."""

    changes: tuple[Overlay, ...]
    end: int


def before(window: Window) -> Iterator[Tag]:
    """ID3v2, of which several may follow each other: each becomes one that is all padding."""
    at = 0
    while window.take_part():
        head = window.bytes_at(at, _HEADER)
        if len(head) < _HEADER or head[:3] != b"ID3" or any(each & 0x80 for each in head[6:]):
            return
        size = sum(each << shift for each, shift in zip(head[6:], (21, 14, 7, 0), strict=True))
        if head[5] & _HAS_FOOTER:
            size = min(size + _HEADER, (1 << 28) - 1)
        length = bytes(size >> shift & 0x7F for shift in (21, 14, 7, 0))
        end = at + _HEADER + size
        yield Tag((Overlay(at, end, head[:5] + b"\0" + length),), end)
        at = end


def behind(window: Window) -> Iterator[Overlay]:
    """ID3v1, with what some programs put before it: more of it, lyrics, and APE before these."""
    end = window.size
    at = end - _OLD_BYTES
    if window.bytes_at(max(at, 0), len(_OLD)) == _OLD:
        yield Overlay(at, end, _OLD + bytes(_OLD_BYTES - 4) + _NO_GENRE)
        end = at
        at = end - _MORE_BYTES
        if window.bytes_at(max(at, 0), len(_MORE)) == _MORE:
            yield Overlay(at, end, _MORE)
            end = at
        for words in _lyrics(window, end):
            yield words
            end = words.start - len(_SUNG)
    yield from _ape(window, end)


def _lyrics(window: Window, end: int) -> Iterator[Overlay]:
    """Lyrics3, before ID3v1 alone, says at its end how long it is, in digits."""
    at = end - len(_SUNG_ENDS) - _SUNG_DIGITS
    foot = window.bytes_at(max(at, 0), _SUNG_DIGITS + len(_SUNG_ENDS))
    digits = foot[:_SUNG_DIGITS]
    if foot[_SUNG_DIGITS:] == _SUNG_ENDS and digits.isdigit():
        start = at - int(digits)
        if start >= 0 and window.bytes_at(start, len(_SUNG)) == _SUNG:
            yield Overlay(start + len(_SUNG), at)


def _ape(window: Window, end: int) -> Iterator[Overlay]:
    """Its footer says how long it is and how many things it tells: none, then."""
    footer = end - _APE_BYTES
    head = window.bytes_at(max(footer, 0), _APE_BYTES)
    if head[: len(_APE)] != _APE:
        return
    start = end - int.from_bytes(head[12:16], "little")
    if 0 <= start <= footer:
        yield Overlay(start, footer)
        yield Overlay(footer + 16, footer + 20)
        # A header that may stand before it counts them as well.
        if start >= _APE_BYTES and window.bytes_at(start - _APE_BYTES, len(_APE)) == _APE:
            yield Overlay(start - 16, start - 12)
