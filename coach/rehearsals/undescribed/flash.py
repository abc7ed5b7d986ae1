"""Flash video (FLV): in what the file says of itself each text becomes spaces.

Numbers stay, for a player seeks by them; what a program tells of people and places is text. It is
written in AMF 0, in whose names below: how long a value is that has one length only.
"""

from __future__ import annotations

from collections.abc import Iterator

from coach.rehearsals.undescribed.laying import Overlay, Window

FIRST = b"FLV\x01"
_FIRST_TAG = 9 + 4
_HEADER, _BEHIND = 11, 4
_SAYS = 18
_MOST_TAGS, _MOST_VALUES, _DEEPEST = 50, 500, 8
"""What it says of itself comes first."""
_FIXED = {0: 8, 1: 1, 5: 0, 6: 0, 7: 2, 11: 10}
_TEXT, _OBJECT, _MAP, _END, _LIST, _LONG_TEXT = 2, 3, 8, 9, 10, 12


def changes_in(window: Window, start: int) -> Iterator[Overlay]:
    """The texts of tags that describe."""
    at = start + _FIRST_TAG
    for _number in range(_MOST_TAGS):
        head = window.bytes_at(at, _HEADER)
        if len(head) < _HEADER or not window.take_part():
            return
        inner, length = at + _HEADER, int.from_bytes(head[1:4])
        if head[0] == _SAYS:
            yield from _Values(window.bytes_at(inner, length), inner).texts()
        at = inner + length + _BEHIND


class _Values:
    """Values that follow each other: a name, and what goes by it."""

    def __init__(self, data: bytes, start: int) -> None:
        self._data, self._start = data, start
        self._at, self._left = 0, _MOST_VALUES

    def texts(self) -> Iterator[Overlay]:
        """Where each text lies but the first, which names the rest."""
        is_name = True
        while self._at < len(self._data) and self._left > 0:
            for each in self._value(_DEEPEST):
                if not is_name:
                    yield each
            is_name = False

    def _number(self, width: int) -> int:
        self._at += width
        return int.from_bytes(self._data[self._at - width : self._at])

    def _value(self, deep: int) -> Iterator[Overlay]:
        self._left -= 1
        kind = self._number(1)
        if kind in (_TEXT, _LONG_TEXT):
            length = self._number(2 if kind == _TEXT else 4)
            start = self._start + self._at
            end = min(start + length, self._start + len(self._data))
            yield Overlay(start, end, b" " * (end - start))
            self._at += length
        elif kind in (_OBJECT, _MAP, _LIST) and deep:
            yield from self._inside(kind, deep - 1)
        elif kind in _FIXED:
            self._at += _FIXED[kind]
        else:
            self._left = 0

    def _inside(self, kind: int, deep: int) -> Iterator[Overlay]:
        """Of a list its values; of others each behind its name, up to a mark."""
        count = _MOST_VALUES if kind == _OBJECT else self._number(4)
        while self._left > 0 and self._at < len(self._data) and (count > 0 or kind != _LIST):
            count -= 1
            if kind != _LIST:
                length = self._number(2)
                self._at += length
                if self._data[self._at : self._at + 1] == bytes([_END]):
                    self._at += 1
                    return
            yield from self._value(deep)
