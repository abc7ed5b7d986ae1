"""The gallery of cards: complete, and in both languages."""

from __future__ import annotations

import pytest

from feedback_rules.evaluate import case_report
from feedback_rules.explain import gallery_entries, gallery_entry
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import READING_LANGUAGES, Context, DraftItem, ReadingLanguage, Rule
from feedback_rules.select.numbers import PLURALS
from feedback_rules.select.sample import card_on

RATES = [
    rule
    for rule in builtin_rule_set().rules
    if rule.value_format == "rate" and gallery_entry(rule) is not None
]
COUNTS = [
    rule
    for rule in builtin_rule_set().rules
    if rule.value_format == "whole" and gallery_entry(rule) is not None
]


def test_every_rule_that_speaks_shows_a_card_and_a_silence_in_both_languages() -> None:
    rules = builtin_rule_set().rules
    exhibits = {each.rule.id: each for each in gallery_entries(rules)}
    assert set(exhibits) == {rule.id for rule in rules if rule.status not in {"draft", "retired"}}
    for exhibit in exhibits.values():
        assert exhibit.cards.keys() == exhibit.silence.keys() == {"en", "fr"}
        assert exhibit.cards["en"].text != exhibit.cards["fr"].text
        assert exhibit.silence["en"] != exhibit.silence["fr"]
        assert exhibit.speaks_on != exhibit.silent_on


def test_a_rate_that_is_spelt_out_stands_beside_no_line() -> None:
    """Nobody says "less than one questions a minute; the line is 0"."""
    cards = [
        card for each in gallery_entries(builtin_rule_set().rules) for card in each.cards.values()
    ]
    spelt = {card.rule for card in cards if not card.stands}
    assert {"FIL010", "QUE010"} <= spelt
    assert not any(
        card.stands.startswith(("less", "between", "moins d’un ", "entre")) for card in cards
    )


@pytest.mark.parametrize("language", READING_LANGUAGES)
@pytest.mark.parametrize("rule", RATES, ids=lambda rule: rule.id)
def test_a_small_rate_is_no_spelt_number_before_a_unit(
    rule: Rule, language: ReadingLanguage
) -> None:
    """ "Moins d’un questions": below one nothing is said of then, up to three the digits."""
    alone, rare = _card(rule, language), _card(rule, language, then=0.6)
    assert (rare.comparison, rare.figure) == (alone.comparison, alone.figure)
    few, unit = _card(rule, language, then=1.4, is_shown=False), rule.message.en.unit
    if language == "en":
        assert few.comparison == f"Usual for you: 1 to 2 {unit}."
        return
    assert few.comparison == f"Votre valeur habituelle\u00a0: 1 à 2 {rule.message.fr.unit}."


def test_a_change_from_or_to_a_small_rate_is_told_in_digits_or_not_at_all() -> None:
    often, asks = (next(each for each in RATES if each.id == id_) for id_ in ("GAZ005", "QUE001"))
    assert _card(often, "fr", then=2.5).figure == (
        "La dernière fois, c’était 2 à 3 fois par minute, maintenant environ 6."
    )
    # One figure of before is enough.
    assert "Votre valeur habituelle" not in _card(often, "fr", then=2.5).comparison
    # It speaks of a minute in which there was hardly one.
    assert "La dernière fois" not in _card(asks, "fr", then=4).figure


@pytest.mark.parametrize("language", READING_LANGUAGES)
@pytest.mark.parametrize("rule", COUNTS, ids=lambda rule: rule.id)
def test_one_of_something_is_no_plural_beside_the_usual_and_last_time(
    rule: Rule, language: ReadingLanguage
) -> None:
    for then in (1.2, -1.2):
        card = _card(rule, language, then=then)
        for plural in PLURALS[language]:
            assert f" 1 {plural}" not in f"{card.comparison} {card.figure}"


def test_a_usual_and_a_last_time_of_one_are_said_in_the_singular() -> None:
    melody = next(each for each in COUNTS if each.id == "PIT011")
    assert "environ 1 demi-ton sur" in _card(melody, "fr", then=1.2).comparison
    assert "about 1 semitone over" in _card(melody, "en", then=1.2).comparison
    words = next(each for each in COUNTS if each.id == "SGP001")
    assert "c’était environ 1 seconde sans repère" in _card(words, "fr", then=1.2).figure
    assert "this was about 1 second without" in _card(words, "en", then=1.2).figure


def _card(
    rule: Rule, language: ReadingLanguage, *, then: float | None = None, is_shown: bool = True
) -> DraftItem:
    """A card of the rule, for somebody who has a usual value and may have been shown it last
    time."""
    known = {
        "baseline": {rule.severity.metric: {"value": then, "takes": 5}},
        "previous_items": [{"rule": rule.id, "value": then, "tone": rule.tone}] if is_shown else [],
    }
    for case in rule.cases:
        given = case.context.model_dump(exclude_unset=True) | (known if then else {})
        context = Context.model_validate(given)
        card = card_on(rule, case_report(case.report), context, language) if case.fires else None
        if card is not None:
            return card
    raise AssertionError(rule.id)


def test_a_retired_rule_is_not_shown() -> None:
    rule = builtin_rule_set().rules[0]
    assert gallery_entry(rule.model_copy(update={"status": "retired"})) is None
