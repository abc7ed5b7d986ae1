"""The gallery of cards: complete, in both languages, and as it stands in the documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from feedback_rules.cli import main
from feedback_rules.explain import exhibit_of, exhibits_of
from feedback_rules.loader import builtin_rule_set

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "gallery.md"


def test_every_rule_that_speaks_shows_a_card_and_a_silence_in_both_languages() -> None:
    rules = builtin_rule_set().rules
    exhibits = {each.rule.id: each for each in exhibits_of(rules)}
    assert set(exhibits) == {rule.id for rule in rules if rule.status not in {"draft", "retired"}}
    for exhibit in exhibits.values():
        assert exhibit.cards.keys() == exhibit.silence.keys() == {"en", "fr"}
        assert exhibit.cards["en"].text != exhibit.cards["fr"].text
        assert exhibit.silence["en"] != exhibit.silence["fr"]
        assert exhibit.speaks_on != exhibit.silent_on


def test_a_rate_that_is_spelt_out_stands_beside_no_line() -> None:
    """Nobody says "less than one questions a minute; the line is 0"."""
    cards = [card for each in exhibits_of(builtin_rule_set().rules) for card in each.cards.values()]
    spelt = {card.rule for card in cards if not card.stands}
    assert {"FIL010", "QUE010"} <= spelt
    assert not any(
        card.stands.startswith(("less", "between", "moins d’un ", "entre")) for card in cards
    )


def test_a_retired_rule_is_not_shown() -> None:
    rule = builtin_rule_set().rules[0]
    assert exhibit_of(rule.model_copy(update={"status": "retired"})) is None


def test_the_document_shows_the_rules_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gallery"]) == 0
    made = capsys.readouterr().out
    assert DOCUMENT.read_text(encoding="utf-8") == made, (
        "make it anew: python -m feedback_rules gallery > docs/gallery.md"
    )
