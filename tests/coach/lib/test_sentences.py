"""Notes become sentences in the language of the reader, numbers as that language writes them."""

from __future__ import annotations

import pytest
from django.utils import translation

from analysis.errors import MediaTooLarge
from analysis.results import Note
from analysis.sentences import PHRASES, SENTENCES, placeholders
from analysis.sentences.say import KINDS
from coach.lib.words.sentences import OWN, hint, note_of, sentence, sentences, stored, whole

NBSP = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("code", {**SENTENCES, **OWN})
def test_every_code_can_be_said_in_both_languages(code: str, language: str) -> None:
    kinds = placeholders({**SENTENCES, **OWN}[code])
    values = {
        name: "de"
        if kind == "language"
        else next(iter(PHRASES.get(kind, {"x": ""})))
        if kind != "clock" and (kind in KINDS or not kind)
        else 12
        for name, kind in kinds.items()
    }
    with translation.override(language):
        said = whole(Note.of(code, **values))
    assert said
    assert "{" not in said


def test_no_code_of_our_own_is_one_of_the_analysis() -> None:
    assert not OWN.keys() & SENTENCES.keys()


def test_numbers_are_written_as_the_language_writes_them() -> None:
    note = note_of(MediaTooLarge("file_too_large", size=2.34, allowed=2.0))
    assert sentence(note) == "The file has 2.3 GB; 2.0 GB are allowed at most."
    assert hint(note) == "Export it at 1080p or less."
    clipped = Note.of("sound_clipped", share=0.0123)
    assert sentence(clipped).startswith("1.2% of")
    with translation.override("fr"):
        assert "2,3" in sentence(note)
        assert f"1,2{NBSP}%" in sentence(clipped)


def test_what_another_version_would_say_is_left_out() -> None:
    assert sentences([Note(code="of_2040"), Note.of("is_a_list")]) == (
        "This is a list that points at other files, not a recording.",
    )
    assert stored(Note.of("in_words", words="a")) == {"code": "in_words", "values": {"words": "a"}}
