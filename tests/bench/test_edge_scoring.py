"""How the bench of word edges finds out which words are the same, and what it counts of them."""

from __future__ import annotations

import pytest

from analysis.results import Word
from bench.listening.edge_scoring import edges_of
from bench.listening.truth import TimedWord


def true(text: str, start: float) -> TimedWord:
    return TimedWord(text, start, start + 0.2)


def heard(text: str, start: float) -> Word:
    return Word(text=text, start=start, end=start + 0.2, probability=0.9)


def off(truth: list[TimedWord], words: list[Word]) -> list[float]:
    return sorted(edge.seconds for edge in edges_of(truth, words))


@pytest.mark.parametrize("start", [1.0, 3.0])
def test_a_word_said_twice_and_read_once_is_the_nearer_one(start: float) -> None:
    truth = [true("he", 1.0), true("he", 3.0), true("threw", 3.2)]
    assert off(truth, [heard("He", start + 0.05), heard("threw", 3.2)])[-1] == pytest.approx(0.05)


def test_fewer_word_errors_count_before_nearness() -> None:
    truth = [true("so", 1.0), true("it", 1.2), true("is", 1.4)]
    words = [heard("it", 2.0), heard("is", 2.2)]
    assert off(truth, words) == pytest.approx([0.8] * 4)


def test_a_misheard_word_and_fillers_are_not_compared() -> None:
    truth = [true("um", 0.2), true("a", 1.0), true("bird", 1.2)]
    assert off(truth, [heard("Uh,", 0.4), heard("A", 1.0), heard("Bert.", 1.2)]) == [0.0, 0.0]


def test_edges_at_a_pause_are_told_from_those_between_words() -> None:
    truth = [true("we", 1.0), true("go", 1.25), true("um", 1.45), true("on", 1.8)]
    words = [heard(word.text, word.start) for word in truth]
    assert [edge.kind for edge in edges_of(truth, words)] == [
        "after a pause or filler",
        *["between two words"] * 2,
        "before one",
        "after a pause or filler",
        "before one",
    ]


def test_a_short_word_between_pauses_is_not_its_own_neighbour() -> None:
    truth = [true("so", 1.0), TimedWord("a", 2.0, 2.06), true("word", 3.0)]
    words = [heard(word.text, word.start) for word in truth]
    assert {edge.kind for edge in edges_of(truth, words)} == {
        "after a pause or filler",
        "before one",
    }


def test_nothing_heard_is_nothing_counted() -> None:
    assert edges_of([true("a", 1.0)], []) == []
    assert edges_of([], [heard("a", 1.0)]) == []
