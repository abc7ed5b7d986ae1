"""What a card quotes, and words that must not contradict each other."""

from __future__ import annotations

import re
from typing import Any

import pytest

from analysis.events import EVENTS
from analysis.metrics import BY_ID
from analysis.results import Report
from feedback_rules.evaluate import Facts, case_report
from feedback_rules.evaluate.engine import finding_of
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import (
    READING_LANGUAGES,
    Case,
    Context,
    DraftItem,
    EventCondition,
    ReadingLanguage,
)
from feedback_rules.select import draft, sample_cards
from feedback_rules.select.evidence import quotes_for, words_at_half
from feedback_rules.select.numbers import PLURALS, corrected_sentence
from tests.feedback_rules.reports import a_report, events

_HOLE = ("we", "dug", "a", "hole", "and", "then", "we", "put", "a", "tree", "there")
RULES = {rule.id: rule for rule in builtin_rule_set().rules}


def _said(*texts: str, probability: float = 0.9, **given: Any) -> Report:
    words = [
        {"text": text, "start": float(at), "end": at + 0.5, "probability": probability}
        for at, text in enumerate(texts)
    ]
    case = Case.model_validate(
        {"name": "said", "kind": "fail", "fires": False, "report": {"words": words, **given}}
    )
    return case_report(case.report)


def _cards(rule: str, language: ReadingLanguage) -> tuple[DraftItem, ...]:
    return sample_cards(RULES[rule], language)


def test_at_half_of_the_time_the_talk_stood_at_these_words() -> None:
    report = _said(*_HOLE, duration=20)

    quote = words_at_half(report, 8)

    assert quote is not None
    assert (quote.text, quote.start) == ("and then we put a", 4.0)


@pytest.mark.parametrize(("limit", "probability"), [(None, 0.9), (30.0, 0.9), (8.0, 0.3)])
def test_without_a_limit_or_sure_words_nothing_is_said_about_the_half(
    limit: float | None, probability: float
) -> None:
    report = _said(
        *["we", "dug", "a", "hole", "and", "then", "we", "put", "a", "tree"],
        probability=probability,
    )
    assert words_at_half(report, limit) is None


@pytest.mark.parametrize("silent_from", [3, 6])
def test_where_it_is_silent_or_unread_nothing_is_said_about_the_half(silent_from: int) -> None:
    """A video is played at half of the time, or four words later."""
    report = _said(*_HOLE, duration=20)
    words = tuple(
        word.model_copy(update={"start": word.start + 60, "end": word.end + 60})
        if word.start >= silent_from
        else word
        for word in report.words
    )
    late = report.model_copy(update={"words": words})
    assert words_at_half(report, 8) is not None
    assert words_at_half(late, 8) is None


def test_running_over_time_says_where_the_half_was_in_both_languages() -> None:
    english = [card.comparison for card in _cards("TIM001", "en")]
    french = [card.comparison for card in _cards("TIM001", "fr")]

    assert any("At half time (1:31) you were at “We knocked on every …”." in c for c in english)
    assert any("À mi-temps (1:31), vous en étiez à «" in c for c in french)
    assert any("half of it" not in c for c in english)


def test_a_quoted_question_keeps_its_mark() -> None:
    assert all("leave?”" in card.claim for card in _cards("QUE010", "en"))
    assert all("leave\u00a0?\u00a0»" in card.claim for card in _cards("QUE010", "fr"))


def test_a_question_is_quoted_to_its_verb_as_it_would_be_printed() -> None:
    said = ["So,", "what's", "the", "price", "of", "sleep?", "Low."]
    asked = {"pause_after": 1.4, "waited": "yes", "signs": "mark+form"}
    label = "so what's the price of sleep"
    question = {"kind": "question", "start": 0, "end": 5.5, "label": label, "detail": asked}
    report = _said(
        *said,
        duration=120,
        events=[question],
        measurements={"structure.questions_per_minute": {"value": 0.5, "n": 1}},
    )
    made = draft(report, builtin_rule_set(), Context(), language="en")
    cards = [*made.items, *(held.item for held in made.held_back)]

    claim = next(card.claim for card in cards if card.rule == "QUE010")
    assert claim.startswith("You asked “So, what’s the price of sleep?” and")


def test_the_phrase_that_came_most_often_is_the_one_that_is_quoted() -> None:
    said = ["actually", "we", *["basically", "we"] * 6]
    events = [
        {"kind": "verbal_habit", "start": at, "end": at + 0.5, "label": text}
        for at, text in enumerate(said)
        if text != "we"
    ]
    report = _said(
        *said,
        duration=120,
        events=events,
        measurements={
            "wording.verbal_habits_per_minute": {"value": 4, "n": 7},
            "fillers.filler_words_per_minute": {"value": 3, "n": 6},
        },
    )
    found = finding_of(RULES["WRD003"], Facts.of(report, Context()))

    assert next(q.text for q in quotes_for(RULES["WRD003"], found, report)) == "basically"


def test_nothing_is_sure_because_nobody_measured_our_misses() -> None:
    for language, joined in (("en", ", but our misses"), ("fr", ", mais nos erreurs")):
        for card in _cards("FIL001", language):
            assert joined in card.certainty or "tests" in card.certainty
            assert not card.certainty.startswith(("Sure: our misses", "Fiable\u00a0: nos erreurs"))


@pytest.mark.parametrize(
    ("language", "put_together", "said"),
    [
        ("fr", "elle variait de environ 1 demi-tons", "elle variait d’environ 1 demi-ton"),
        ("fr", "moins de 1,5 secondes, ou 0 mots", "moins de 1,5 seconde, ou 0 mot"),
        ("fr", "2,1 secondes, 10 mots, 21 secondes", "2,1 secondes, 10 mots, 21 secondes"),
        ("fr", "1 à 2 mots, 1 fois", "1 à 2 mots, 1 fois"),
        ("en", "about 1 semitones, of 1 words", "about 1 semitone, of 1 word"),
        ("en", "0.1 seconds, 1.5 words, 11 degrees", "0.1 seconds, 1.5 words, 11 degrees"),
    ],
)
def test_a_number_below_two_has_the_singular_of_its_language(
    language: ReadingLanguage, put_together: str, said: str
) -> None:
    assert corrected_sentence(put_together, language) == said


def test_all_that_rules_count_has_its_singular() -> None:
    """Every plural that stands behind a number in the words of a rule, and every unit."""
    invariable = {"times", "fois", "plus", "moins", "less", "des", "au-dessus", "sous"}
    for rule in builtin_rule_set().rules:
        for language in READING_LANGUAGES:
            message = rule.message.en if language == "en" else rule.message.fr
            text = f"{message.model_dump_json()} {{value}} {message.unit}"
            counted = set(re.findall(r"\{(?:value|edge)\} ([^\W\d_][\w-]*s)\b", text))
            if rule.value_format in {"rate", "times_limit"}:
                # Said as 1 to 2, or as 1:30, and never as one.
                counted -= {message.unit.split()[0]}
            assert counted - invariable <= set(PLURALS[language]), rule.id


@pytest.mark.parametrize("name", ["FIL001", "FIL002"])
def test_when_a_card_would_not_have_appeared_is_said_by_the_end_of_the_range_that_decides(
    name: str,
) -> None:
    rule = RULES[name]
    [condition] = rule.when.all
    assert condition.use == "low"
    assert "reaches down to 5 a minute" in _cards(name, "en")[0].counterfactual
    assert "descend jusqu’à 5 par minute" in _cards(name, "fr")[0].counterfactual


@pytest.mark.parametrize("language", READING_LANGUAGES)
@pytest.mark.parametrize("name", ["END001", "END010", "OPN001", "OPN010", "OPN011", "WRD010"])
def test_what_is_there_or_not_is_held_against_no_line(name: str, language: ReadingLanguage) -> None:
    """It read "about 1 formulas; the line is 1"."""
    assert all(card.stands == card.line == "" for card in _cards(name, language))


@pytest.mark.parametrize(
    ("name", "kind", "metric", "english", "french"),
    [
        (
            "FIL003",
            "filler_burst",
            "fillers.bursts_per_minute",
            "In 1 place three or more",
            "À 1 endroit, il y en avait",
        ),
        (
            "WRD004",
            "long_sentence",
            "wording.long_sentence_share",
            "more than 35 words in 1 of your sentences",
            "plus de 35 mots dans 1 de vos phrases",
        ),
    ],
)
def test_a_focus_of_which_one_place_is_left_is_said_in_the_singular(
    name: str, kind: str, metric: str, english: str, french: str
) -> None:
    context = Context.model_validate(
        {"previous_items": [{"rule": name, "value": 1.0, "takes_shown": 1, "tone": "improvement"}]}
    )
    report = a_report(
        measurements={metric: {"value": 0.5, "n": 12}}, events=events(kind, 60, lasting=8)
    )
    for language, said in (("en", english), ("fr", french)):
        [item] = draft(report, builtin_rule_set(), context, language=language).items
        assert item.rule == name
        assert said in item.text


def test_what_is_compared_with_the_rest_of_the_talk_is_measured_against_it() -> None:
    """A level stretch or a burst of fillers is found by a fixed line, and says which."""
    definitions = {kind.id: kind.definition for kind in EVENTS}
    compared = []
    for rule in builtin_rule_set().rules:
        english = f"{rule.message.en.figure} {rule.message.en.comparison}"
        # A sentence end lies under its whole sentence, and not under the middle of it.
        assert "middle of your" not in english, rule.id
        if re.search(r"in the rest|the rest of", english):
            compared.append(rule.id)
            events_of = [c.event for c in rule.when.all if isinstance(c, EventCondition)]
            rests_on = [BY_ID[rule.severity.metric].definition, *map(definitions.get, events_of)]
            assert re.search(r"the rest|elsewhere", " ".join(map(str, rests_on))), rule.id
    assert {"PAC002", "PAC005", "PIT011"} <= set(compared)
