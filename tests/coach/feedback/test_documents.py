"""An item's document is read typed, whoever wrote it and whenever."""

from __future__ import annotations

from coach.feedback.documents import CardDocument
from coach.feedback.pages.cards import card_of, drafted_card
from feedback_rules.loader import builtin_rule_set
from feedback_rules.select import sample_cards


def test_what_a_coach_wrote_has_no_number_and_no_moment() -> None:
    document = CardDocument.read({"claim": "You smiled.", "clips": None, "metric": None})
    card = card_of(document, tone="strength", heading="Keep", quality="presence", author="Bea")
    assert (card.claim, card.figure, card.clips, card.quality) == (
        "You smiled.",
        "",
        (),
        "Presence",
    )
    assert not card.is_about_talk


def test_a_moment_is_called_by_the_time_that_it_is_about() -> None:
    document = CardDocument.read(
        {"clips": [{"start": 60, "end": 66, "at": 63}, {"start": 5, "end": 9}]}
    )
    card = card_of(document, tone="improvement", heading="Next", quality="clarity", author="x")
    assert [clip.label for clip in card.clips] == ["1:03", "0:05"]


def test_every_rule_makes_a_card_that_says_what_its_document_says() -> None:
    for rule in builtin_rule_set().rules:
        for item in sample_cards(rule, "en")[:1]:
            card = drafted_card(item, heading="Keep")
            assert (card.claim, card.why, card.suggestion) == (
                item.claim,
                item.why,
                item.suggestion,
            )
            assert len(card.clips) == len(item.clips)
            assert card.author == f"Rule {rule.id}"
