"""What is laid over recordings is remembered, and hostile ones take no more memory than others."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from coach.rehearsals.undescribed.laying import Overlay
from coach.rehearsals.undescribed.remembering import MOST_CHANGES, Remembered

HOSTILE = 20_000


def changes(count: int) -> tuple[Overlay, ...]:
    return tuple(Overlay(place, place + 1) for place in range(count))


def never() -> tuple[Overlay, ...]:
    raise AssertionError("looked twice")


def test_a_recording_is_looked_at_once_and_another_length_is_another_recording() -> None:
    kept = Remembered()
    found = kept.of("a", 1, lambda: changes(2))
    assert kept.of("a", 1, never) is found
    with pytest.raises(AssertionError, match="looked twice"):
        kept.of("a", 2, never)
    assert kept.of("a", 1, never) is found


def test_a_hundred_hostile_films_take_no_more_than_three_do() -> None:
    kept, hostile = Remembered(), changes(HOSTILE)
    for number in range(100):
        kept.of(str(number), 1, lambda: hostile)
        assert kept.weight <= MOST_CHANGES
    assert kept.of("99", 1, never) == kept.of("97", 1, never)
    held = sum(map(sys.getsizeof, _all_of(kept.of("99", 1, never))))
    assert held * MOST_CHANGES / HOSTILE < 15_000_000


def _all_of(one: tuple[Overlay, ...]) -> Iterator[object]:
    yield one
    for change in one:
        yield change
        yield from change


def test_what_is_asked_for_again_outlives_what_is_not() -> None:
    kept, hostile = Remembered(), changes(HOSTILE)
    kept.of("often", 1, lambda: changes(10))
    for number in range(10):
        kept.of(f"hostile {number}", 1, lambda: hostile)
        assert len(kept.of("often", 1, never)) == 10


def test_films_without_a_change_are_not_kept_for_ever() -> None:
    kept = Remembered()
    for number in range(1_000):
        kept.of(str(number), 1, tuple)
    assert kept.weight <= MOST_CHANGES
    with pytest.raises(AssertionError, match="looked twice"):
        kept.of("0", 1, never)


def test_one_that_is_larger_than_all_that_may_be_kept_is_still_read_once() -> None:
    kept = Remembered()
    found = kept.of("huge", 1, lambda: changes(MOST_CHANGES + 1))
    assert kept.of("huge", 1, never) is found
