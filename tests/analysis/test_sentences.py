from __future__ import annotations

import pytest

from analysis.talk.languages import language_data
from analysis.talk.sentences import ends_clause, sentence_ranges
from tests.analysis.spoken import words

ENGLISH = language_data("en")


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("One two. Three four!", [(0, 2), (2, 4)]),
        ("Dr. Smith came. He left", [(0, 3), (3, 5)]),
        ("By J. S. Bach. Good.", [(0, 4), (4, 5)]),
        ('He said "no." Then left.', [(0, 3), (3, 5)]),
        ("no punctuation at all", [(0, 4)]),
        ("We went to the. Garden gate.", [(0, 6)]),
        ("It is yours, and. We left.", [(0, 6)]),
    ],
)
def test_sentences_end_where_they_end(text: str, ranges: list[tuple[int, int]]) -> None:
    assert sentence_ranges(words(text), ENGLISH) == tuple(ranges)


def test_no_words_have_no_sentences() -> None:
    assert sentence_ranges([], ENGLISH) == ()


def test_a_clause_ends_at_a_comma_and_before_a_conjunction() -> None:
    first, second, third = words("home, and we")
    assert ends_clause(first, second, ENGLISH)
    assert ends_clause(third, first.model_copy(update={"text": "because"}), ENGLISH)
    assert not ends_clause(second, third, ENGLISH)
    assert not ends_clause(third, None, ENGLISH)


def test_a_comma_that_a_recogniser_put_into_a_silence_behind_an_article_ends_no_clause() -> None:
    first, second = words("the, garden")
    assert not ends_clause(first, second, ENGLISH)


def test_french_knows_words_that_need_another_one() -> None:
    assert sentence_ranges(words("Elle fermait à la. Rentrée."), language_data("fr")) == ((0, 5),)
