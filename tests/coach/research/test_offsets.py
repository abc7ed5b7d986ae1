"""Code points from what a browser counts, and no character that people see is ever cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.research.coding.annotation.offsets import code_points, whole_characters

FAMILY = "👩🏽\u200d🏫"
SPECIAL = st.sampled_from(
    ["👩🏽\u200d🏫", "🇫🇷", "q\u0303", "é", "ك", "ًّ", " ", "\n", "a", "𝄞", "क्षि"]
)
TEXTS = st.one_of(st.text(st.characters(exclude_categories=["Cs"])), st.lists(SPECIAL).map("".join))


@given(TEXTS, st.data())
def test_units_and_code_points_are_two_counts_of_one_place(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))
    assert code_points(text, sum(1 + (ord(c) > 0xFFFF) for c in text[:place])) == place


@given(TEXTS, st.integers(-5, 5000))
def test_no_count_leads_outside_of_the_text(text: str, units: int) -> None:
    assert 0 <= code_points(text, units) <= len(text)


def test_the_middle_of_a_pair_is_before_it() -> None:
    assert [code_points("a🙂b", units) for units in range(5)] == [0, 1, 1, 2, 3]


@given(TEXTS, st.data())
def test_a_stretch_only_grows_by_what_belongs_to_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    first, last = whole_characters(text, start, end)
    words = text[start:end].strip()
    if not words:
        assert first == last
        return
    assert 0 <= first < last <= len(text)
    assert words in text[first:last]
    assert whole_characters(text, first, last) == (first, last)


@pytest.mark.parametrize(
    ("text", "marked", "whole"),
    [
        (f"I like {FAMILY} pauses", "🏽\u200d", FAMILY),
        ("q\u0303uite", "q", "q\u0303"),
        ("q\u0303uite", "\u0303u", "q\u0303u"),
        ("🇫🇷🇻🇳 here", "🇷", "🇫🇷"),
        ("🇫🇷🇻🇳 here", "🇻", "🇻🇳"),
        ("  two words ", " two words ", "two words"),
        ("كثيرًا.", "ر", "رً"),
        ("word", "word", "word"),
        ("I met [NAME-10], so", "met [NAME", "met [NAME-10]"),
        ("[NAME-1] [ORG-2]. So", "1] [ORG", "[NAME-1] [ORG-2]"),
        ("[NAME-1][ORG-2] a", "a", "a"),
    ],
)
def test_what_people_see_as_one_character_stays_whole(text: str, marked: str, whole: str) -> None:
    start = text.index(marked)
    first, last = whole_characters(text, start, start + len(marked))
    assert text[first:last] == whole
