"""Replacement of spans in a text, and the mapping of offsets to the new text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Replacement:
    """A span, half-open, in code points, with its replacement."""

    start: int
    end: int
    token: str


class OffsetMap:
    """A text with replaced spans, which must not overlap."""

    def __init__(self, text: str, places: Iterable[Replacement]) -> None:
        self._places = sorted(places, key=lambda place: place.start)
        self._starts = [place.start for place in self._places]
        self._shifts = [0]
        pieces, at = [], 0
        for place in self._places:
            if place.start < at:
                raise ValueError(f"places overlap at {place.start}")
            pieces += [text[at : place.start], place.token]
            at = place.end
            grown = len(place.token) - (place.end - place.start)
            self._shifts.append(self._shifts[-1] + grown)
        self.text = "".join([*pieces, text[at:]])

    def start(self, position: int) -> int:
        """Map an old start offset to the new text; inside a replaced span, to its start."""
        number, place = self._place_at(position)
        if place is not None and place.start <= position < place.end:
            position = place.start
            number -= 1
        return position + self._shifts[number]

    def end(self, position: int) -> int:
        """Map an old end offset to the new text; inside a replaced span, to its end."""
        number, place = self._place_at(position - 1)
        if place is not None and place.start < position < place.end:
            position = place.end
        return position + self._shifts[number]

    def _place_at(self, position: int) -> tuple[int, Replacement | None]:
        """Return the number of spans that start at or before a position, and the last of them."""
        number = bisect_right(self._starts, position)
        return number, self._places[number - 1] if number else None
