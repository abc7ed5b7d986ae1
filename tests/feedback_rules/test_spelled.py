"""A moved threshold finds the words that still say the old one, in English and French."""

from __future__ import annotations

from typing import Any

import pytest

from coach.curation.editor.adapting import stale_parts
from feedback_rules.explain import problems_of
from feedback_rules.loader import builtin_rule_set, rule_to_document
from feedback_rules.model import Rule, limits_in, shares_in
from feedback_rules.select import sample_cards
from tests.feedback_rules.reports import rule


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("A rule of thumb: one sentence end in five has a pause.", {0.2}),
        ("au moins une fin de phrase sur cinq", {0.2}),
        ("Under four in five of them", {0.8}),
        ("three quarters of the talk", {0.75}),
        ("Par rapport à sept dixièmes du temps", {0.7}),
        ("la moitié des phrases, puis un tiers", {0.5, 1 / 3}),
        ("One breath in between, and then five more.", set()),
        ("You said um 24 times in three minutes.", set()),
        ("", set()),
    ],
)
def test_shares_written_in_words_are_read(text: str, shares: set[float]) -> None:
    assert shares_in(text) == {round(share, 6) for share in shares}


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("Compared with half of all sentence ends", {0.5}),
        ("une fin de phrase sur cinq", {0.2}),
        ("between the first and last third of your talk", set()),
        ("un silence d’une demi-seconde dans le dernier cinquième", set()),
        ("half a second after half of them", {0.5}),
    ],
)
def test_parts_of_a_second_or_of_the_talk_are_no_limits(text: str, shares: set[float]) -> None:
    assert limits_in(text) == shares


def test_a_card_that_spells_out_another_limit_than_its_rule_has_is_a_problem() -> None:
    rule = next(rule for rule in builtin_rule_set().rules if rule.id == "PAU002")
    document = rule_to_document(rule)
    document["message"]["en"]["comparison"] = "Compared with one sentence end in three."

    problems = problems_of(Rule.model_validate(document))

    told = "message.en.comparison: The words of the card name 33% as a limit"
    assert any(str(each).startswith(told) for each in problems)
    assert problems_of(rule) == ()


def _with_threshold(rule: Rule, old: float, new: float) -> Rule:
    document = rule_to_document(rule)
    moved = 0
    for condition in document["when"]["all"]:
        if condition.get("value") == old:
            condition["value"] = new
            moved += 1
    assert moved
    return Rule.model_validate(document)


def _saying(english: str, french: str) -> Rule:
    """PAU002 with its threshold in words of its own, as curators may write it."""
    rule = next(each for each in builtin_rule_set().rules if each.id == "PAU002")
    document = rule_to_document(rule)
    document["message"]["en"]["comparison"] = f"Rule of thumb: {english}."
    document["message"]["fr"]["comparison"] = f"Repère empirique\u00a0: {french}."
    return Rule.model_validate(document)


def _asks_for_a_placeholder(of: Rule) -> int:
    return sum(each.code == "threshold_written" for each in problems_of(of))


def test_the_linter_asks_for_a_placeholder_where_a_comparison_spells_out_its_threshold() -> None:
    for said in (
        ("at least 20%", "au moins 20\u00a0%"),
        ("at least one in five", "au moins une sur cinq"),
    ):
        assert _asks_for_a_placeholder(_saying(*said)) == 2, said
        cited = _saying(*said).model_copy(update={"cites_study": True})
        assert _asks_for_a_placeholder(cited) == 0
    assert _asks_for_a_placeholder(_saying("at least {edge}", "au moins {edge}")) == 0
    assert _asks_for_a_placeholder(_saying("at least 30%", "au moins 30\u00a0%")) == 0


def test_a_moved_threshold_stands_in_the_comparison() -> None:
    moved = _with_threshold(rule("PAU010"), 0.55, 0.5)
    document = rule_to_document(moved)
    document["severity"]["edge"] = 0.5
    cards = sample_cards(Rule.model_validate(document), "en")
    assert {card.comparison for card in cards} >= {"Rule of thumb: at least 50%."}
    assert not any("55" in card.comparison + card.counterfactual for card in cards)


def test_one_sentence_end_in_five_no_longer_passes_once_the_threshold_is_another() -> None:
    rule = _saying("at least one in five", "au moins une sur cinq")
    stale = stale_parts(rule, _with_threshold(rule, 0.2, 0.15), frozenset())
    said = {figure.path[1]: figure.text for figure in stale.figures}
    assert "in five" in said["en"]
    assert "sur cinq" in said["fr"]
    assert any("one in five" in text for text in stale.texts)


def test_other_words_for_a_focus_are_held_to_the_same_numbers_and_lengths() -> None:
    rule = next(each for each in builtin_rule_set().rules if each.id == "PAU002")
    document = rule_to_document(rule)
    near = "A pause followed 20% of your sentences" + 25 * ", as well" + "."
    document["message"]["en"]["claim_near"] = near
    wordy = Rule.model_validate(document)
    stale = stale_parts(wordy, _with_threshold(wordy, 0.2, 0.15), frozenset())
    assert near in [figure.text for figure in stale.figures]
    told = {(each.code, each.place) for each in problems_of(wordy)}
    assert ("part_long", ("message", "en", "claim_near")) in told
    assert ("card_long", ("message", "en")) in told


def test_words_about_something_else_are_left_alone() -> None:
    rule = next(each for each in builtin_rule_set().rules if each.id == "PAU002")
    assert not stale_parts(rule, rule, frozenset()).texts


@pytest.mark.parametrize(
    ("rule", "path", "value", "place", "words"),
    [
        ("PAU002", ("severity", "width"), 0.3, ("severity", "width"), "only at -10%"),
        ("LOU001", ("severity", "edge"), 0.9, ("severity", "width"), "make this 10% or less"),
        ("PAU002", ("severity", "edge"), 1.2, ("severity", "edge"), "120% is not a share"),
        ("PAU002", ("when", "all", 0, "value"), 20, ("when", "all", 0, "value"), "is not a share"),
    ],
)
def test_a_share_lies_between_none_and_all(
    rule: str, path: tuple[Any, ...], value: float, place: tuple[Any, ...], words: str
) -> None:
    document: Any = rule_to_document(next(r for r in builtin_rule_set().rules if r.id == rule))
    inner = document
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = value
    found = [each for each in problems_of(Rule.model_validate(document)) if each.place == place]
    assert any(words in str(each) for each in found)


def test_no_rule_that_comes_along_has_a_share_beyond_all() -> None:
    codes = {each.code for rule in builtin_rule_set().rules for each in problems_of(rule)}
    assert not codes & {"share_of_more_than_all", "band_ends_outside"}
