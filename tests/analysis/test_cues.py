"""Patterns of words at the start of a clause, in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.talk.languages import language_data, plain
from analysis.talk.phrase_patterns import find_patterns
from tests.analysis.spoken import words


def found(text: str, language: str = "en") -> list[tuple[str, str]]:
    data = language_data(language)
    spoken = words(text)
    lists = {str(kind): patterns for kind, patterns in data.signposts.items()}
    return [
        (" ".join(plain(word.text) for word in spoken[cue.first : cue.last]), cue.kind)
        for cue in find_patterns(spoken, lists, data)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("First of all, the lake is deep.", ("first of all", "order")),
        ("And so, um, the second reason is the wind.", ("the second reason is", "order")),
        ("My last important point is short.", ("my last important point", "order")),
        ("There are three main reasons for that.", ("there are three main reasons", "order")),
        ("Today I want to talk about the lake.", ("i want to talk about", "order")),
        ("It is cold; and second, it is wet.", ("second", "order")),
        ("The third insect is the fly.", ("the third insect is", "order")),
        ("I will report on three results.", ("i will report on", "order")),
        ("And finally the third reason is the wind.", ("finally the third reason", "order")),
        ("Finally, we went home.", ("finally", "order")),
        ("We went home. | finally | we slept.", ("finally", "order")),
        ("Now let's look at the map.", ("let's look at", "transition")),
        ("This brings me to the boats.", ("this brings me to", "transition")),
        ("On the other hand it is cold.", ("on the other hand", "transition")),
        ("The fish, for example, are gone.", ("for example", "example")),
        ("To sum up, we need boats.", ("to sum up", "summary")),
        ("Let me close with a story.", ("let me close with", "summary")),
    ],
)
def test_a_step_is_marked_in_english(text: str, expected: tuple[str, str]) -> None:
    assert found(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tout d'abord, le lac est profond.", ("tout d'abord", "order")),
        ("Et donc, ma deuxième raison est simple.", ("ma deuxième raison est", "order")),
        ("Ma troisième remarque concerne le vent.", ("ma troisième remarque concerne", "order")),
        ("Deuxième point, le vent.", ("deuxième point", "order")),
        ("Il y a trois grandes raisons à cela.", ("il y a trois grandes raisons", "order")),
        ("Ensuite, on a vu le bateau.", ("ensuite", "order")),
        ("Passons maintenant au bateau.", ("passons maintenant au", "transition")),
        ("Ce qui m’amène à la question.", ("ce qui m'amène à", "transition")),
        ("D'autre part, il fait froid.", ("d'autre part", "transition")),
        ("Par exemple, les poissons.", ("par exemple", "example")),
        ("Pour conclure, il faut des bateaux.", ("pour conclure", "summary")),
        ("En résumé, c'est simple.", ("en résumé", "summary")),
    ],
)
def test_a_step_is_marked_in_french(text: str, expected: tuple[str, str]) -> None:
    assert found(text, "fr") == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "So we went home and then we slept.",
        "Then he came back.",
        "First Lady Obama spoke.",
        "It was the last point on the map.",
        "The first thing I saw was a boat.",
        "We finally went home.",
        "The next day he left.",
        "He gave examples of that.",
        "I want to go on holiday.",
        "Our friends, finally, came to help.",
        "We went in the first, second, and third week.",
        "I come to this house every summer.",
        "The last day was cold.",
        "In the summer we swim.",
        "",
    ],
)
def test_an_ordinary_sentence_marks_no_step_in_english(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Alors on est partis.",
        "Et puis il a dormi.",
        "Il a d'abord mangé.",
        "On a enfin dormi.",
        "La première fois, il faisait froid.",
        "La première chose que j'ai vue était un bateau.",
        "Je vais bien.",
        "Il y a deux ans j'étais là.",
        "Du coup on y va.",
    ],
)
def test_an_ordinary_sentence_marks_no_step_in_french(text: str) -> None:
    assert found(text, "fr") == []


def test_a_cue_never_runs_across_the_end_of_a_sentence() -> None:
    assert found("We looked at the last. Point one was mine.") == [("point one", "order")]


def test_words_that_the_recogniser_doubts_make_no_cue() -> None:
    data = language_data("en")
    doubted = [
        word.model_copy(update={"probability": 0.2}) for word in words("For example, the lake.")
    ]
    assert find_patterns(doubted, {"example": data.signposts["example"]}, data) == ()


def test_a_language_without_lists_has_no_cues() -> None:
    assert found("For example, the lake.", "de") == []


VOCABULARY = [
    *(
        "first",
        "second",
        "of",
        "all,",
        "the",
        "reason",
        "point",
        "is",
        "for",
        "example",
        "example.",
    ),
    *("finally", "next,", "let's", "look", "at", "to", "sum", "up", "um", "|", "so", "and", "i"),
    *("we", "three", "reasons", "there", "are", "question?", "conclure", "d'abord", "ensuite,"),
]


@settings(max_examples=300)
@given(st.lists(st.sampled_from(VOCABULARY), max_size=40), st.sampled_from(["en", "fr"]))
def test_cues_lie_in_the_words_in_order_and_never_overlap(parts: list[str], language: str) -> None:
    data = language_data(language)
    spoken = words(" ".join(parts))
    lists = {str(kind): patterns for kind, patterns in data.signposts.items()}
    reached = 0
    for cue in find_patterns(spoken, lists, data):
        assert reached <= cue.first < cue.last <= len(spoken)
        reached = cue.last
