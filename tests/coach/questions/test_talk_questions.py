"""Questions built from a talk: what they find, and what they leave alone."""

from __future__ import annotations

import pytest

from coach.questions.sentences import SpokenSentence
from coach.questions.talk_questions import TEMPLATES, BuiltQuestion, built_questions


def asked(language: str, *texts: str, sure: bool = True) -> tuple[BuiltQuestion, ...]:
    sentences = [
        SpokenSentence(text=text, start=5.0 * place, end=5.0 * place + 4, is_sure=sure)
        for place, text in enumerate(texts)
    ]
    return built_questions(sentences, language)


def quoted(name: str, language: str, text: str) -> list[str]:
    return [each.text for each in asked(language, text) if each.key.startswith(f"{name}:")]


@pytest.mark.parametrize(
    ("name", "language", "text", "quote"),
    [
        ("figure_source", "en", "About 40% of our members cycle.", "“40%”"),
        ("figure_source", "en", "Forty percent of them cycle.", "“Forty percent”"),
        ("figure_source", "en", "It cost $3 million in the end.", "“$3 million”"),
        ("figure_source", "en", "In 2019 we had 1,200 students.", "“1,200 students”"),
        ("figure_source", "fr", "Près de 40 % viennent à vélo.", "40 %"),
        ("figure_source", "fr", "Quarante pour cent y viennent.", "Quarante pour cent"),
        ("comparison", "en", "The bicycle is faster than the bus.", "faster than the bus"),
        ("comparison", "fr", "Le vélo est plus rapide que le bus.", "plus rapide que le bus"),
        ("superlative", "en", "It is the cheapest way to travel.", "the cheapest way"),
        ("superlative", "fr", "C’est la méthode la plus simple.", "la plus simple"),
        ("always", "en", "It always works on the first day.", "always works"),
        ("always", "fr", "Cela marche toujours le premier jour.", "marche toujours"),
        ("proof", "en", "This proves that trees cool a street.", "This proves"),
        ("proof", "fr", "Cela prouve que les arbres aident.", "Cela prouve"),
    ],
)
def test_a_claim_is_quoted_as_it_was_said(name: str, language: str, text: str, quote: str) -> None:
    [question] = quoted(name, language, text)
    assert quote in question


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I was born in 1998 and moved in 2010."),
        ("en", "I have never been to Spain."),
        ("en", "That is rather than this, and other than that."),
        ("en", "More than anything, most of the people came."),
        ("en", "It does not always work."),
        ("fr", "Je n’ai jamais vu la mer, et je viens toujours."),
        ("fr", "Ce n’est pas toujours vrai."),
        ("fr", "Elle vient le plus souvent en 2015."),
    ],
)
def test_what_is_no_claim_is_left_alone(language: str, text: str) -> None:
    assert asked(language, text) == ()


def test_a_verb_said_often_is_no_term() -> None:
    said = (
        "Je connais ce chemin.",
        "Je le connais bien.",
        "Ce que je connais reste.",
        "Connais toi.",
    )
    assert not [each for each in asked("fr", *said) if each.key.startswith("term:")]
    said = ("We measure a lot.", "You measure it too.", "To measure is easy.", "They measure.")
    assert not [each for each in asked("en", *said) if each.key.startswith("term:")]


def test_a_term_said_often_is_asked_about() -> None:
    [question] = asked("en", *["The photosynthesis goes on."] * 4)
    assert "“photosynthesis” 4 times" in question.text
    assert asked("en", *["The photosynthesis goes on."] * 3) == ()


def test_the_same_talk_gives_the_same_questions_with_their_sentence() -> None:
    text = ("It is the cheapest way, and 40% agree.", "It always works.")
    assert asked("en", *text) == asked("en", *text)
    assert all(each.sentence is not None for each in asked("en", *text))


def test_nothing_is_asked_about_words_that_we_are_not_sure_of_or_in_another_language() -> None:
    assert asked("en", "It always works.", sure=False) == ()
    assert asked("de", "Das sind 40 % von allen.") == ()


def test_slide_titles_are_asked_about() -> None:
    found = built_questions([], "en", titles=["Why bicycles win", "Thanks"])
    assert [each.text for each in found] == [
        "Your slide says “Why bicycles win”. Which point on it matters most?"
    ]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_question_stays_short_with_the_longest_quote(language: str) -> None:
    words = {"en": "really long word that always never proves", "fr": "un mot toujours prouve"}
    quote = f"… {' '.join([words[language].split()[0]] * 12)} …"
    for each in TEMPLATES:
        assert len(each.asks[language].format(quote=quote).split()) <= 30
