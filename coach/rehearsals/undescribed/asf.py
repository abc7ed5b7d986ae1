"""WMV and WMA (ASF): descriptions in the header become padding.

What a player needs of the header is known ("Advanced Systems Format", 3 and 4).
"""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from coach.rehearsals.undescribed.laying import Overlay, Window


def _named(text: str) -> bytes:
    return UUID(text).bytes_le


FIRST = _named("75b22630-668e-11cf-a6d9-00aa0062ce6c")[:8]
_PADDING = _named("1806d474-cadf-4509-a4ba-9aabcb96aae8")
_EXTENSION = _named("5fbf03b5-a92e-11cf-8ee3-00c00c205365")
_STAY = frozenset(
    {
        _named("8cabdca1-a947-11cf-8ee4-00c00c205365"),  # how long it is
        _named("b7dc0791-a9b7-11cf-8ee6-00c00c205365"),  # a stream
        _named("14e6a5cb-c672-4332-8399-a96952065b5a"),  # more of a stream
        _named("7bf875ce-468d-11d1-8d82-006097c9a2b2"),  # how many bits a second
        _named("d6e229dc-35da-11d1-9034-00a0c90349be"),  # which streams exclude each other
        _named("d4fed15b-88d3-454f-81f0-ed5c45999e24"),  # which come first
        _named("7c4346a9-efe0-4bfc-b229-393ede415c85"),  # languages
        _named("26f18b5d-4584-47ec-9f5f-0e651f0452c9"),  # what the numbers of packets mean
    }
)
_HEADER, _BEHIND_HEADER, _BEHIND_EXTENSION = 24, 6, 22


def changes_in(window: Window, start: int) -> Iterator[Overlay]:
    """The objects of the header for which no player asks."""
    end = start + _length(window, start)
    yield from _in_header(window, start + _HEADER + _BEHIND_HEADER, min(end, window.size))


def _in_header(
    window: Window, start: int, end: int, *, is_inner: bool = False
) -> Iterator[Overlay]:
    at = start
    while at + _HEADER <= end and window.take_part():
        kind, length = window.bytes_at(at, 16), _length(window, at)
        if length < _HEADER:
            return
        behind = min(at + length, end)
        if kind == _EXTENSION and not is_inner:
            inner = at + _HEADER + _BEHIND_EXTENSION
            yield from _in_header(window, inner, behind, is_inner=True)
        elif kind not in _STAY:
            yield Overlay(at, at + 16, _PADDING)
            yield Overlay(at + _HEADER, behind)
        at += length


def _length(window: Window, at: int) -> int:
    return int.from_bytes(window.bytes_at(at + 16, 8), "little")
