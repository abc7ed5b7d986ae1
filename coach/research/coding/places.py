"""Lookup of the turns that a coding overlaps, fast for any number of turns."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar


class _Stretch(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


_Place = TypeVar("_Place", bound=_Stretch)


class Places(Generic[_Place]):
    """Non-overlapping, half-open spans, given in any order."""

    def __init__(self, places: Sequence[_Place]) -> None:
        self._places = sorted(places, key=lambda place: place.start)
        self._starts = [place.start for place in self._places]
        self._ends = [place.end for place in self._places]

    def touched(self, start: int, end: int) -> Sequence[_Place]:
        """Return the spans that overlap the range, in order."""
        return self._places[bisect_right(self._ends, start) : bisect_left(self._starts, end)]
