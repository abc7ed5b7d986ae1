"""How cards may speak."""

from __future__ import annotations

import pytest

from feedback_rules.evaluate.cases import case_report
from feedback_rules.model import (
    PreviousItem,
    ReadingLanguage,
    RuleSet,
    card_problems,
    with_french_spaces,
    word_count,
    wording_problems,
)
from feedback_rules.select import draft
from feedback_rules.select.numbers import (
    corrected_sentence,
    edge_in_words,
    in_words,
    range_in_words,
    time_word,
)
from tests.feedback_rules.reports import every_card, rule


@pytest.mark.parametrize(
    "text",
    [
        "You spoke too fast.",
        "You seemed nervous.",
        "Your confidence showed.",
        "You were tense at the start.",
        "You came across as credible.",
        "An ideal speaker pauses here.",
        "Normal people pause here.",
        "You should always pause.",
        "This is an excellent talk.",
        "You looked to the left for a while.",
        "You spoke better than most.",
        "Well done!",
        "Your score went up.",
        "You kept eye contact.",
        "You paused 🙂 often.",
        "You said it 7.3 times in one minute.",
        "8.",
        "About 8 a minute.",
    ],
)
def test_english_that_may_not_be_said(text: str) -> None:
    assert wording_problems(text, "en") != ()


@pytest.mark.parametrize(
    "text",
    [
        "Vous parlez trop vite.",
        "Il faut respirer.",
        "Vous étiez nerveux.",
        "Vous sembliez tendue au début.",
        "Vous paraissiez sincère.",
        "Les gens normaux respirent ici.",
        "Vous devriez respirer.",
        "Vous regardiez à gauche.",
        "C’est mal dit.",
        "Essayez ceci : respirez.",
        "Vous avez dit « euh ».",
        "Environ 8.",
        "Tu parles vite.",
    ],
)
def test_french_that_may_not_be_said(text: str) -> None:
    assert wording_problems(text, "fr") != ()


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("You paused after most sentences (1:12, 2:40).", "en"),
        ("The phrase “too bad” came back often.", "en"),
        ("Essayez ceci\u00a0: respirez.", "fr"),
        ("Vous avez dit «\u00a0trop\u00a0» souvent.", "fr"),
        ("De 1:05 à 2:10, la voix bougeait peu.", "fr"),
        ("Essayez un ton plus doux.", "fr"),
    ],
)
def test_what_may_be_said(text: str, language: str) -> None:
    assert wording_problems(text, "en" if language == "en" else "fr") == ()


def test_a_card_has_25_to_60_words() -> None:
    assert card_problems("word " * 24, "en") != ()
    assert card_problems("word " * 25, "en") == ()
    assert card_problems("word " * 60, "en") == ()
    assert card_problems("word " * 61, "en") != ()
    assert card_problems("mot " * 65, "fr") == ()
    assert card_problems("mot " * 66, "fr") != ()


@pytest.mark.parametrize("text", ["1" * 400_000, "«" * 400_000, "“" * 400_000, "12:3 " * 80_000])
def test_long_texts_of_anything_are_looked_through_in_no_time(text: str) -> None:
    for language in ("en", "fr"):
        wording_problems(text, language)
    word_count(text)


def test_a_lone_sign_is_no_word() -> None:
    assert word_count("«\u00a0euh\u00a0» : 6–10 – oui") == 3


def test_french_spaces_leave_clock_times_alone() -> None:
    assert with_french_spaces("De 1:05 à 2:10: oui ! 25%") == (
        "De 1:05 à 2:10\u00a0: oui\u00a0! 25\u00a0%"
    )


@pytest.mark.parametrize(
    ("value", "value_format", "english", "french"),
    [
        (8.2, "rate", "about 8", "environ 8"),
        (0.4, "rate", "less than one", "moins d’un"),
        (2.0, "rate", "between two and three", "entre deux et trois"),
        (0.343, "percent", "about 35%", "environ 35\u00a0%"),
        (0.01, "percent", "under 5%", "moins de 5\u00a0%"),
        (0.0, "percent", "almost none", "une infime partie"),
        (0.97, "percent", "about 95%", "environ 95\u00a0%"),
        (0.98, "percent", "nearly all", "la quasi-totalité"),
        (1.0, "percent", "nearly all", "la quasi-totalité"),
        (1.0, "fine_percent", "about 100%", "environ 100\u00a0%"),
        (2.0, "faster", "about 100%", "environ 100\u00a0%"),
        (0.115, "fine_percent", "about 12%", "environ 12\u00a0%"),
        (1.24, "faster", "about a quarter", "environ 25\u00a0%"),
        (0.66, "faster", "about a third", "environ 35\u00a0%"),
        (1.5, "faster", "about 50%", "environ 50\u00a0%"),
        (0.1, "faster", "about 90%", "environ 90\u00a0%"),
        (1.0, "faster", "under 5%", "moins de 5\u00a0%"),
        (-6.2, "whole", "about 6", "environ 6"),
        (225, "times_limit", "3:45", "3:45"),
    ],
)
def test_numbers_in_words(value: float, value_format: str, english: str, french: str) -> None:
    assert in_words(value, value_format, "en") == english
    assert in_words(value, value_format, "fr") == french


def test_french_numbers_agree_with_what_they_count() -> None:
    assert corrected_sentence("moins d’un fois par minute", "fr") == "moins d’une fois par minute"
    assert corrected_sentence("entre un et deux fois", "fr") == "entre une et deux fois"
    assert corrected_sentence("entre un et deux « euh »", "fr") == "entre un et deux « euh »"
    assert corrected_sentence("une baisse de environ 25", "fr") == "une baisse d’environ 25"


def test_ranges_in_words() -> None:
    assert range_in_words((6.1, 10.2), "rate", "en") == " (range 6–10)"
    assert range_in_words((6.1, 10.2), "rate", "fr") == " (entre 6 et 10)"
    assert range_in_words((0.3, 0.4), "percent", "fr") == " (entre 30 et 40\u00a0%)"
    assert range_in_words((0.93, 1.0), "percent", "en") == " (range 90–100%)"
    assert range_in_words((0.65, 0.71), "percent", "en") == " (range 65–75%)"
    assert range_in_words((0.34, 0.36), "percent", "en") == ""
    assert range_in_words(None, "rate", "en") == ""
    assert range_in_words((7.9, 8.1), "rate", "en") == ""
    assert range_in_words((-1, 2), "whole", "en") == ""
    assert range_in_words((4.1, 247), "rate", "en") == " (at least 4)"
    assert range_in_words((4.1, 247), "rate", "fr") == " (au moins 4)"


def test_edges_in_words() -> None:
    assert edge_in_words(5, "rate", "en") == "5"
    assert edge_in_words(0.5, "percent", "fr") == "50\u00a0%"
    assert edge_in_words(1.15, "faster", "en") == "15%"
    assert edge_in_words(-4, "whole", "en") == "4"  # "about 6 decibels quieter" stands beside it
    assert edge_in_words(-1.5, "rate", "fr") == "−1,5"


@pytest.mark.parametrize(
    ("put_together", "language", "said"),
    [
        ("about 1499 seconds without a mark", "en", "about 25 minutes without a mark"),
        ("environ 1499 secondes sans repère", "fr", "environ 25 minutes sans repère"),
        ("about 299 seconds", "en", "about 299 seconds"),
        ("(range 280–320 seconds)", "en", "(range 280–320 seconds)"),
        ("You said “300 seconds” often", "en", "You said “300 seconds” often"),
        (
            "Vous avez dit «\u00a0300 secondes\u00a0»",
            "fr",
            "Vous avez dit «\u00a0300 secondes\u00a0»",
        ),
    ],
)
def test_seconds_that_nobody_reckons_with_are_said_in_minutes(
    put_together: str, language: ReadingLanguage, said: str
) -> None:
    assert corrected_sentence(put_together, language) == said


@pytest.mark.parametrize(
    ("unit", "before", "now", "said"),
    [
        ("seconds without a mark", 1499, 727, "now about 12 minutes."),
        ("seconds without a mark", 400, 200, "now about 200 seconds."),
        ("seconds without a mark", 150, 130, "now about 130."),
        ("a minute", 400, 300, "now about 300."),
    ],
)
def test_a_change_names_its_unit_twice_where_one_side_is_told_in_minutes(
    unit: str, before: float, now: float, said: str
) -> None:
    again = time_word(unit, before, now)
    change = corrected_sentence(
        f"Last time this was about {before} {unit}, now about {now}{again}.", "en"
    )
    assert change.endswith(said)
    assert ("minutes" in change) == (before >= 300 and unit != "a minute")


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "As last time, this was about 25 minutes"), ("fr", "Comme la dernière fois, c’était")],
)
def test_lengths_that_are_the_same_in_minutes_are_told_as_the_same(
    language: ReadingLanguage, said: str
) -> None:
    unmarked = rule("SGP001").model_copy(update={"status": "stable"})
    case = next(case for case in unmarked.cases if case.fires)
    report = case_report(case.report)
    metric = unmarked.severity.metric
    long = report.measurements[metric].model_copy(update={"value": 1510.0})
    report = report.model_copy(update={"measurements": {**report.measurements, metric: long}})
    shown = PreviousItem(rule="SGP001", value=1499.0, takes_shown=1)
    context = case.context.model_copy(update={"previous_items": (shown,)})
    rules = RuleSet(number=1, rules=(unmarked,))
    cards = every_card(draft(report, rules, context, language=language))
    assert [card.figure.startswith(said) for card in cards] == [True]
