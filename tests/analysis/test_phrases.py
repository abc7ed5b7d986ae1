from __future__ import annotations

import pytest

from analysis.results import Word
from analysis.talk.languages import (
    is_filled_pause,
    is_supported,
    language_data,
    plain,
    supported_languages,
)
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
        ("I was, like, so tired.", ["like"]),
        ("It was huge, like.", ["like"]),
        ("She um like um went home.", ["like"]),
        ("And, uh, like, we tried.", ["like"]),
        ("We went there, you know, and came back.", ["you know"]),
        ("You know, it is hard.", ["you know"]),
        ("It works, you know.", ["you know"]),
        ("So, you know, we, like, tried it.", ["you know", "like"]),
        ("I mean, it works.", ["i mean"]),
        ("It is hard, I mean, very hard.", ["i mean"]),
        ("So that is it, right?", ["right"]),
        ("Well, basically, we lost.", ["basically"]),
        ("So yeah, that is it.", ["so yeah"]),
        ("Okay, let us start.", ["okay"]),
        ("The idea, you see, is simple.", ["you see"]),
        ("They have dogs and stuff like that.", ["and stuff like that"]),
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
        "He runs like the wind.",
        "Would you like, for example, some tea?",
        "Things like these, like cars and boats, cost money.",
        "It felt like, somehow, home.",
        "She was like a mother to me.",
        "There is nothing like home, like your own bed.",
        "I would like, if I may, to begin.",
        "So we decided to go.",
        "It is so good.",
        "He was tired, so he slept.",
        "I think so, too.",
        "If so, we stop.",
        "Do you know, what he said?",
        "You know what I did.",
        "If you know, tell me.",
        "As you know, prices rose.",
        "Did you know, by the way, that bees dance?",
        "Let me know what you know, and I will help.",
        "Before you know, it is over.",
        "I mean it.",
        "What I mean, is clear.",
        "I mean well.",
        "When I say risk, I mean danger.",
        "I mean to finish today.",
        "By that I mean the whole group.",
        "Turn right, then left.",
        "The right, as you see, is protected.",
        "You are right, and I am wrong.",
        "On the right, we see the sea.",
        "Okay is a word.",
        "That is basically the same.",
        "I actually saw it.",
        "It looked cold. Actually, it was warm.",
        "He was literally on fire.",
        "Honestly is how I answer.",
        "As you see, it grows.",
        "Do you see, there, the line?",
        "The number of albums in the museum.",
        "Her umbrella was erased.",
        "He hummed and her mother heard her.",
        "Er is a German pronoun.",
        "That kind of bird sings.",
        "It is sort of blue.",
        "He erred, and she umpired.",
        "We came. You know who came too.",
        "They are, well, known for it.",
        "Something, like that, happened.",
        "I asked him. Like me, he agreed.",
        "Like any city, it has traffic.",
        "Just like that, it was over.",
        "And, like his father, he sang.",
    ],
)
def test_a_load_bearing_word_is_left_alone(text: str) -> None:
    assert english(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Il est venu, enfin, presque.", ["enfin"]),
        ("Du coup, on est partis.", ["du coup"]),
        ("On part, du coup.", ["du coup"]),
        ("Et du coup euh on part.", ["du coup"]),
        ("C'était, genre, énorme.", ["genre"]),
        ("Il a dit, genre, non.", ["genre"]),
        ("En fait, je voulais dire merci.", ["en fait"]),
        ("C'est, en fait, simple.", ["en fait"]),
        ("C'est bien, hein.", ["hein"]),
        ("Il est venu, quoi.", ["quoi"]),
        ("Ben, je ne sais pas.", ["ben"]),
        ("Bon ben on y va.", ["bon ben"]),
        ("C'est, tu vois, plus simple.", ["tu vois"]),
        ("C'est un peu, on va dire, étrange.", ["on va dire"]),
        ("je suis parti enfin on est partis", ["enfin"]),
        ("C'est mon métier. Enfin, c'est presque mon métier.", ["enfin"]),
        ("c'était bien quoi donc on est restés", ["quoi"]),
        ("bah je sais pas ben on verra", ["bah", "ben"]),
        ("il a dit genre non", ["genre"]),
        ("bon on commence", ["bon"]),
        ("et du coup on part", ["du coup"]),
        ("Et, voilà, c'était long.", ["voilà"]),
    ],
)
def test_french_fillers_are_found(text: str, found: list[str]) -> None:
    assert french(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "D'abord, on mesure. Ensuite, on compte. Enfin, on conclut.",
        "On mesure, puis on compte, enfin, on conclut.",
        "Ce genre, de film me plaît.",
        "Le genre humain.",
        "De quoi parlez-vous ?",
        "Voilà le résultat.",
        "On en fait, trop.",
        "Le coup du coup de main.",
        "Un nouveau genre, plus libre, est né.",
        "Il a, en fait partie, raison.",
        "Après quoi, il partit.",
        "Enfin libre.",
        "Tu vois ce que je veux dire.",
        "Disons que oui.",
        "Ben est mon frère.",
        "Je ne sais quoi, dire.",
        "Il y a de quoi, manger.",
        "Quoi qu'il arrive, je viens.",
        "Ce qu'il en fait, c'est son affaire.",
        "On a fini. | Enfin, je voudrais vous remercier.",
        "il a enfin compris et il est venu",
        "Il reste dix minutes. Voilà. On recommence.",
        "tu fais quoi ?",
        "je ne sais pas quoi et toi",
        "Hier, Ben est venu avec Ben.",
        "c'est bon on y va",
        "nous disons la même chose",
        "un cours sur le genre et la loi",
    ],
)
def test_french_words_with_meaning_are_left_alone(text: str) -> None:
    assert french(text) == []


@pytest.mark.parametrize(
    "text", ["number", "her", "umbrella", "summer", "album", "error", "museum"]
)
def test_a_filled_pause_is_never_found_inside_a_word(text: str) -> None:
    assert not is_filled_pause(words(text)[0], ENGLISH)


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
