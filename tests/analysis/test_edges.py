"""Word edges: attention's times put right by the sound."""

from __future__ import annotations

import itertools
import tracemalloc
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.ports import Sound, Span
from analysis.results import Word
from analysis.talk.edges import aligned
from analysis.talk.languages import language_data
from analysis.talk.readings import matching_readings

_LOUD_DB, _SOFT_DB = -20.0, -60.0


def sounding(voice: Sequence[Span], seconds: float = 6.0) -> Sound:
    """Voice at one level in these spans, background elsewhere."""
    count = round(seconds * 100)
    centres = (np.arange(count) + 0.5) * 0.01
    inside = np.zeros(count, dtype=np.bool_)
    for start, end in voice:
        inside |= (centres >= start) & (centres < end)
    return Sound(
        step=0.01,
        f0_hz=np.where(inside, 120.0, np.nan).astype(np.float32),
        level_db=np.where(inside, _LOUD_DB, _SOFT_DB).astype(np.float32),
        flux=np.ones(count, np.float32),
        clipped=np.zeros(count, np.float32),
    )


def word(text: str, start: float, end: float | None = None) -> Word:
    return Word(text=text, start=start, end=start + 0.2 if end is None else end, probability=0.9)


def place(
    words: Sequence[Word], speech: Sequence[Span], *, taken: Sequence[Span] = ()
) -> list[tuple[float, float]]:
    found = aligned(words, speech, taken, sounding(speech))
    assert found is not None
    return [(each.start, each.end) for each in found]


def test_a_word_alone_between_silences_takes_what_is_spoken() -> None:
    [(start, end)] = place([word("hello", 1.3)], [(1.0, 1.4)])
    assert (start, end) == pytest.approx((1.0, 1.4), abs=0.02)


def test_a_word_that_attention_lets_begin_before_a_pause_begins_after_it() -> None:
    words = [word("good", 1.0, 1.3), word("morning", 1.3, 2.9)]
    first, second = place(words, [(1.0, 1.3), (2.4, 2.9)])
    assert first == pytest.approx((1.0, 1.3), abs=0.02)
    assert second == pytest.approx((2.4, 2.9), abs=0.02)


def test_words_in_one_breath_touch_and_stay_near_their_times() -> None:
    words = [word("we", 1.02, 1.2), word("begin", 1.2, 1.55), word("slowly", 1.55, 2.0)]
    places = place(words, [(1.0, 2.0)])
    for (_, end), (start, _) in itertools.pairwise(places):
        assert start - end == pytest.approx(0.0, abs=0.011)
    assert [start for start, _ in places] == pytest.approx([1.0, 1.18, 1.53], abs=0.04)


def test_no_word_covers_a_filler() -> None:
    filler = (1.35, 1.8)
    words = [word("so", 1.1, 1.8), word("then", 1.8, 2.2)]
    first, second = place(words, [(1.1, 2.2)], taken=[filler])
    assert first[1] <= filler[0] + 0.011
    assert second[0] >= filler[1] - 0.011


def test_voice_that_nobody_wrote_behind_a_silence_belongs_to_no_word() -> None:
    [(start, end)] = place([word("go", 1.0, 1.5)], [(1.0, 1.4), (2.0, 2.6)])
    assert (start, end) == pytest.approx((1.0, 1.4), abs=0.02)


def test_a_word_whose_span_swallowed_a_filler_stands_behind_it_where_its_span_ends() -> None:
    words = [word("sure", 1.0, 1.4), word("we", 1.4, 2.95), word("are", 2.95, 3.2)]
    speech = [(1.0, 1.55), (2.2, 3.2)]
    _, (start, end), _ = place(words, speech, taken=[(2.2, 2.75)])
    assert (start, end) == pytest.approx((2.75, 2.95), abs=0.06)


def test_a_second_reading_of_a_word_says_on_which_side_of_a_filler_it_stands() -> None:
    words = [word("sure", 1.0, 1.3), word("we", 1.3, 2.75), word("are", 3.0, 3.3)]
    speech = [(1.0, 1.6), (2.2, 3.3)]
    filler = (2.2, 2.7)
    behind = {1: word("we", 2.72, 3.0)}
    alone = aligned(words, speech, [filler], sounding(speech))
    both = aligned(words, speech, [filler], sounding(speech), behind)
    assert alone is not None
    assert both is not None
    assert alone[1].end <= filler[0]
    assert both[1].start == pytest.approx(2.7, abs=0.03)
    assert both[0].end == pytest.approx(1.6, abs=0.03)


def test_words_of_another_reading_are_found_by_what_stands_around_them() -> None:
    words = [word("He", 1.0), word("can,", 1.2), word("he", 3.0), word("can", 3.2), word("x", 9.0)]
    reading = [word("um", 0.5), word("he", 1.4), word("can", 1.6), word("uh,", 1.8), word("X", 2.0)]
    again = matching_readings(words, [reading, []], language_data("en"))
    assert {index: found.start for index, found in again.items()} == {0: 1.4, 1: 1.6}


@pytest.mark.parametrize("rest", ["cat", "mat"])
@pytest.mark.parametrize("start", [1.0, 1.5])
def test_of_a_word_said_twice_the_nearer_one_was_heard_again(start: float, rest: str) -> None:
    words = [word("the", 1.0), word("the", 1.5), word("cat", 2.0)]
    reading = [word("the", start), word(rest, 2.0), word("um", 2.4)]
    again = matching_readings(words, [reading], language_data("en"))
    assert [index for index, found in again.items() if found.text == "the"] == [2 * start - 2]


@pytest.mark.parametrize(("late", "found"), [(0.5, 64), (20.0, 0)])
def test_a_word_that_another_reading_has_far_off_was_not_heard_again(
    late: float, found: int
) -> None:
    texts = ["".join(letters) for letters in itertools.product("bcdfghjk", "aeiouvwz")]
    words = [word(text, 0.4 * index) for index, text in enumerate(texts)]
    reading = [word(each.text, each.start + late) for each in words]
    assert len(matching_readings(words, [reading], language_data("en"))) == found


def test_what_swallowed_an_um_is_near_the_word_that_did_not() -> None:
    words = [word("we", 1.3, 2.8)]
    reading = [word("um", 1.3, 2.7), word("we", 2.72, 2.9)]
    assert 0 in matching_readings(words, [reading], language_data("en"))


def _memory_of_placing(words: Sequence[Word], again: Mapping[int, Word]) -> int:
    """The most bytes that placing these words in 40 s of speech takes at a time."""
    speech = [(0.0, 40.0)]
    tracemalloc.start()
    found = aligned(words, speech, (), sounding(speech, 40.0), again)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found is not None
    return most


def test_a_reading_that_is_far_off_makes_placing_little_heavier() -> None:
    words = [word("word", 1.0 + 0.4 * index) for index in range(5)]
    late = {index: word("word", each.start + 20.0) for index, each in enumerate(words)}
    assert _memory_of_placing(words, late) < 4 * _memory_of_placing(words, {})


def test_a_word_ends_where_the_voice_fades() -> None:
    sound = sounding([(1.0, 1.45)])
    found = aligned([word("today", 1.0)], [(1.0, 1.9)], (), sound)
    assert found is not None
    assert found[0].end == pytest.approx(1.45, abs=0.03)


def test_without_room_nothing_is_said() -> None:
    assert aligned([word("a", 1.0)] * 9, [(1.0, 1.2)], (), sounding([(1.0, 1.2)])) is None
    assert aligned([], [(1.0, 1.2)], (), sounding([(1.0, 1.2)])) is None
    assert aligned([word("a", 1.0)], [], (), sounding([])) is None


@given(
    starts=st.lists(st.floats(0.0, 5.5), min_size=1, max_size=12),
    pieces=st.lists(st.floats(0.0, 5.9), min_size=2, max_size=8, unique=True),
)
def test_words_stay_in_order_apart_and_where_somebody_speaks(
    starts: list[float], pieces: list[float]
) -> None:
    edges = sorted(round(edge, 2) for edge in pieces)
    speech = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=False) if b - a > 0.05]
    words = [word("word", start) for start in sorted(starts)]
    found = aligned(words, speech, (), sounding(speech))
    if found is None:
        return
    assert [each.text for each in found] == [each.text for each in words]
    for each in found:
        assert each.end - each.start >= 0.04 - 1e-6
        assert any(a - 0.011 <= each.start and each.start <= b for a, b in speech)
        assert any(a <= each.end and each.end <= b + 0.011 for a, b in speech)
    for left, right in itertools.pairwise(found):
        assert left.end <= right.start + 1e-6
