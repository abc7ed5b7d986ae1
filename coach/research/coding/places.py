"""Lookup of the turns that a coding overlaps, fast for any number of turns."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from django.db.models import QuerySet

from coach.research.coding.models import Turn


class _Span(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


_SpanType = TypeVar("_SpanType", bound=_Span)


class SpanIndex(Generic[_SpanType]):
    """Non-overlapping, half-open spans, given in any order."""

    def __init__(self, places: Sequence[_SpanType]) -> None:
        self._places = sorted(places, key=lambda place: place.start)
        self._starts = [place.start for place in self._places]
        self._ends = [place.end for place in self._places]

    def touched(self, start: int, end: int) -> Sequence[_SpanType]:
        """Return the spans that overlap the range, in order."""
        return self._places[bisect_right(self._ends, start) : bisect_left(self._starts, end)]


class _TurnPlace(NamedTuple):
    key: int
    start: int
    end: int


def turns_touched(
    turns: QuerySet[Turn], spans: Mapping[int, Iterable[tuple[int, int]]]
) -> QuerySet[Turn]:
    """Return the turns that overlap spans of their text (by key): few of those of long interviews.

    Of all others only the places are read.
    """
    places: dict[int, list[_TurnPlace]] = defaultdict(list)
    rows = turns.filter(text__in=list(spans)).order_by()
    for text, *place in rows.values_list("text", "pk", "start", "end"):
        places[text].append(_TurnPlace(*place))
    touched = {
        place.key
        for text, there in places.items()
        for index in [SpanIndex(there)]
        for span in spans[text]
        for place in index.touched(*span)
    }
    return turns.filter(pk__in=touched)
