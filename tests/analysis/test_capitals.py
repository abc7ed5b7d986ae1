"""An um takes the capital of the word that it stands before."""

from __future__ import annotations

import pytest

from analysis.talk.capitals import with_capitals
from analysis.talk.languages import language_data
from tests.analysis.spoken import words


@pytest.mark.parametrize(
    ("language", "heard", "read"),
    [
        ("en", "um It's late.", "Um it's late."),
        ("en", "I went home. um Because it was late.", "I went home. Um because it was late."),
        ("en", "I stayed um Because it was late.", "I stayed um because it was late."),
        ("en", "It works because... That's all.", "It works because... that's all."),
        ("en", "um uh So we go.", "Um uh so we go."),
        ("en", "um I'm here and um I stay.", "Um I'm here and um I stay."),
        ("en", "We met in um Paris. um London is far.", "We met in um Paris. Um London is far."),
        ("en", "um Hopefully it holds. uh Sally came.", "Um hopefully it holds. Uh Sally came."),
        ("en", "um NASA said it.", "Um NASA said it."),
        ("en", "My students came. um Students like it.", "My students came. Um students like it."),
        ("en", "We had um dinner.", "We had um dinner."),
        ("en", "It is done. That's all.", "It is done. That's all."),
        ("fr", "euh C'est fini. euh Nous partons.", "Euh c'est fini. Euh nous partons."),
        ("fr", "On va à euh Lyon.", "On va à euh Lyon."),
    ],
)
def test_only_letters_change_and_only_where_no_name_stands(
    language: str, heard: str, read: str
) -> None:
    said = words(heard)
    found = with_capitals(said, language_data(language))
    assert " ".join(word.text for word in found) == read
    assert [(word.start, word.end) for word in found] == [(word.start, word.end) for word in said]
