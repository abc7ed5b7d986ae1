"""Which places a stretch lies in: the same that looking at each of them would find."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from coach.research.coding.places import SpanIndex


@dataclass(frozen=True)
class Turn:
    start: int
    end: int


TURNS = [Turn(8, 12), Turn(0, 3), Turn(3, 5), Turn(13, 14)]


def test_every_stretch_is_found_where_it_lies_and_in_order() -> None:
    places = SpanIndex(TURNS)
    for start, end in combinations(range(16), 2):
        there = [turn for turn in TURNS if start < turn.end and end > turn.start]
        assert list(places.touched(start, end)) == sorted(there, key=lambda turn: turn.start)


def test_a_text_without_turns_holds_nothing() -> None:
    empty: list[Turn] = []
    assert not SpanIndex(empty).touched(0, 10)
