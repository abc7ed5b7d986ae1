"""Stretches of one voice are proposed at pauses; a person puts them right, and times stay true."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from analysis.results import Word
from coach.research.coding.models import Recording
from coach.research.coding.recordings.passages import (
    BY_HAND,
    UNREAD,
    assign,
    lay_out,
    mark_of,
    merge_with_previous,
    propose,
    realigned,
    rewrite,
    text_of,
)

pytestmark = pytest.mark.django_db


def words(*said: tuple[str, float, float]) -> list[Word]:
    return [Word(text=t, start=start, end=end, probability=0.9) for t, start, end in said]


def texts(recording: Recording) -> list[str]:
    return [text_of(each) for each in recording.passages.all()]


@pytest.mark.parametrize(
    ("first", "gap", "count"),
    [("well", 0.5, 1), ("well", 0.9, 2), ("well.", 0.3, 2), ("well.", 0.1, 1), ("well?”", 0.0, 2)],
)
def test_a_voice_may_change_where_there_is_a_pause(first: str, gap: float, count: int) -> None:
    said = words((first, 0.0, 0.4), ("next", 0.4 + gap, 0.8 + gap))
    assert len(propose(said)) == count


def test_who_speaks_for_long_is_parted_at_shorter_pauses() -> None:
    long = [(f"w{n}", n * 0.5, n * 0.5 + 0.5) for n in range(44)]
    assert len(propose(words(*long, ("on", 22.4, 22.6)))) == 2
    assert propose([]) == []


def test_where_nothing_was_read_a_passage_waits_for_its_words(written: Recording) -> None:
    said = words(("So?", 0.0, 0.4), ("Well", 9.0, 9.4))
    lay_out(written, propose(said, [(1.5, 8.0)]))
    assert texts(written) == ["So?", UNREAD, "Well"]
    missed = written.passages.all()[1]
    assert (missed.start_ms, missed.end_ms) == (1500, 8000)
    rewrite(passage=missed, text="I met Bea.\nWhen?", seen=mark_of(missed))
    assert texts(written) == ["So?", "I met Bea.", "When?", "Well"]


def test_words_that_stay_keep_their_times_and_new_ones_share() -> None:
    before = [("a", 0, 100, 40), ("b", 100, 200, 90), ("d", 500, 600, 90)]
    assert realigned(before, ["a", "c", "d"]) == [before[0], ("c", 100, 200, BY_HAND), before[2]]
    assert realigned(before, ["a", "b", "x", "y", "d"])[2:4] == [
        ("x", 200, 350, BY_HAND),
        ("y", 350, 500, BY_HAND),
    ]
    assert realigned(before, ["z", *"abd"])[0] == ("z", 0, 0, BY_HAND)
    assert realigned(before, [*"abd", "z"])[3][1:] == (600, 600, BY_HAND)


def test_a_new_line_splits_and_a_join_makes_one_of_two(written: Recording) -> None:
    assert texts(written) == ["How was it?", "I met Bea Martin.", "Then I spoke."]
    first, second = written.passages.all()[:2]
    assign(passage=second, voice=written.voices.get(number=2))
    rewrite(passage=second, text="I met\nBen Martin.", seen=mark_of(second))
    assert texts(written) == ["How was it?", "I met", "Ben Martin.", "Then I spoke."]
    split = written.passages.all()[2]
    assert split.voice == written.voices.get(number=2)
    assert [word[0] for word in split.words] == ["Ben", "Martin."]
    assert (split.start_ms, split.end_ms) == (1600, 2150)
    merge_with_previous(passage=split)
    assert texts(written) == ["How was it?", "I met Ben Martin.", "Then I spoke."]
    with pytest.raises(ValidationError, match="no passage before"):
        merge_with_previous(passage=first)
    rewrite(passage=first, text="  \n ", seen=mark_of(first))
    assert texts(written) == ["I met Ben Martin.", "Then I spoke."]


def test_whoever_joins_twice_from_an_old_page_loses_no_word(written: Recording) -> None:
    """A key that is held down: each row asks for itself, with what it knew when it was asked."""
    _first, second, third = written.passages.all()
    merge_with_previous(passage=third)
    merge_with_previous(passage=second)
    assert texts(written) == ["How was it? I met Bea Martin. Then I spoke."]
    with pytest.raises(ValidationError, match="just changed"):
        merge_with_previous(passage=third)
    assert texts(written) == ["How was it? I met Bea Martin. Then I spoke."]


def test_words_that_somebody_else_has_changed_are_not_written_over(written: Recording) -> None:
    _first, second, third = written.passages.all()
    seen = mark_of(second)
    rewrite(passage=second, text="I met\nBea Martin.", seen=seen)
    with pytest.raises(ValidationError, match="just changed"):  # pressed twice
        rewrite(passage=second, text="I met\nBea Martin.", seen=seen)
    assert texts(written) == ["How was it?", "I met", "Bea Martin.", "Then I spoke."]
    half = written.passages.all()[2]
    seen = mark_of(half)
    merge_with_previous(passage=third)
    with pytest.raises(ValidationError, match="just changed"):
        rewrite(passage=half, text="Ben.", seen=seen)
    joined = written.passages.get(pk=half.pk)
    with pytest.raises(ValidationError, match="just changed"):  # read anew, not seen anew
        rewrite(passage=joined, text="Ben.", seen=seen)
    assert texts(written)[-1] == "Bea Martin. Then I spoke."
    with pytest.raises(ValidationError, match="just changed"):
        assign(passage=third, voice=written.voices.get(number=1))


def test_words_come_without_what_no_text_can_hold(written: Recording) -> None:
    first = written.passages.all()[0]
    rewrite(passage=first, text="How\x00 was\x07 e\u0301t\u00e9?\x1b", seen=mark_of(first))
    assert texts(written)[0] == "How was \u00e9t\u00e9?"
    first = written.passages.all()[0]
    with pytest.raises(ValidationError, match="20,000"):
        rewrite(passage=first, text="a " * 10_001, seen=mark_of(first))
    assert texts(written)[0] == "How was \u00e9t\u00e9?"
