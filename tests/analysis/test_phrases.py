from __future__ import annotations

import pytest

from analysis.results import Word
from analysis.talk.languages import is_supported, language_data, plain, supported_languages
from analysis.talk.phrases import filler_words, hedges, occurrences
from tests.analysis.spoken import words

ENGLISH, FRENCH = language_data("en"), language_data("fr")


def english(text: str) -> list[str]:
    return [found.phrase for found in filler_words(words(text), ENGLISH)]


def french(text: str) -> list[str]:
    return [found.phrase for found in filler_words(words(text), FRENCH)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It was, like, really big.", ["like"]),
        ("It was | like | really big.", ["like"]),
        ("We went there, you know, and came back.", ["you know"]),
        ("I mean, it works.", ["i mean"]),
        ("So that is it, right?", ["right"]),
        ("It is, basically, done.", ["basically"]),
        ("She um like um went home.", ["like"]),
    ],
)
def test_a_phrase_that_bears_no_meaning_is_a_filler(text: str, found: list[str]) -> None:
    assert english(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "I like this.",
        "It looks like rain, like yesterday.",
        "People like you and me.",
        "So we decided to go.",
        "It is so good.",
        "Do you know, what he said?",
        "You know what I did.",
        "If you know, tell me.",
        "I mean it.",
        "What I mean, is clear.",
        "Turn right, then left.",
        "The number of albums in the museum.",
        "That is basically the same.",
        "Her umbrella was erased.",
    ],
)
def test_a_load_bearing_word_is_left_alone(text: str) -> None:
    assert english(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Du coup, on est partis.", ["du coup"]),
        ("C'était, genre, énorme.", ["genre"]),
        ("En fait, je voulais dire merci.", ["en fait"]),
        ("C'est bien, hein.", ["hein"]),
        ("Il est venu, quoi.", ["quoi"]),
    ],
)
def test_french_fillers_are_found(text: str, found: list[str]) -> None:
    assert french(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Ce genre, de film me plaît.",
        "Le genre humain.",
        "De quoi parlez-vous ?",
        "Voilà le résultat.",
        "On en fait, trop.",
        "Le coup du coup de main.",
    ],
)
def test_french_words_with_meaning_are_left_alone(text: str) -> None:
    assert french(text) == []


def test_a_phrase_is_matched_across_words_and_never_inside_one() -> None:
    assert occurrences(words("You know, younow you  know"), ("you", "know")) == (0, 3)


def test_a_word_that_the_recogniser_doubts_is_never_a_filler() -> None:
    doubted = [
        Word(text=word.text, start=word.start, end=word.end, probability=0.2)
        for word in words("It was, like, really big.")
    ]
    assert filler_words(doubted, ENGLISH) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Maybe we could be kind of late.", ["maybe", "could be", "kind of"]),
        ("This kind of bird might sing.", ["might"]),
        ("The might of Rome.", []),
        ("I think about it, I think so.", ["i think"]),
    ],
)
def test_hedges_are_found_by_their_neighbours(text: str, found: list[str]) -> None:
    assert [one.phrase for one in hedges(words(text), ENGLISH)] == found


def test_german_um_is_a_word() -> None:
    assert not is_supported("de")
    assert language_data("de").filled_pauses == frozenset()


def test_prompts_are_short_and_every_list_is_lower_case() -> None:
    assert supported_languages() == ("en", "fr")
    for data in (ENGLISH, FRENCH):
        assert 0 < len(data.filler_prompt) <= 32
        for sounds in (data.filled_pauses, data.clause_words, data.common_words):
            assert all(plain(sound) == sound for sound in sounds)
        phrases = [entry.phrase for entry in (*data.filler_words, *data.hedges)]
        assert all(plain(word) == word for phrase in phrases for word in phrase)


def test_punctuation_and_curly_apostrophes_do_not_hide_a_word() -> None:
    assert plain("“Don’t!”") == "don't"
