"""What stands on the face of a card: its sentences, once, and nothing behind a press."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

from coach.feedback.pages.cards import drafted_card
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import READING_LANGUAGES, DraftItem, ReadingLanguage, word_count
from feedback_rules.select import sample_cards

RULES = {rule.id: rule for rule in builtin_rule_set().rules}
_OF_THE_TALK = {
    "en": "Measured over the whole talk.",
    "fr": "Mesuré sur toute l’intervention.",
}
_FRAME = re.compile(r"<(details|button|strong)\b.*?</\1>", re.DOTALL)
"""Behind a press, to be pressed, or a heading."""


def _seen(item: DraftItem, language: ReadingLanguage) -> str:
    card = drafted_card(item, heading="")
    with override(language):
        shown = {"card": card, "plays": True, "exercises": True}
        made = render_to_string("feedback/_card_body.html", shown)
    words = unescape(re.sub(r"<[^>]*>", " ", _FRAME.sub("", made)))
    for beside in (_OF_THE_TALK[language], card.author):
        words = words.replace(beside, "")
    return f"{card.claim_alone} {words}"


@pytest.mark.parametrize("language", READING_LANGUAGES)
def test_the_page_shows_of_each_card_what_its_rule_was_held_to(language: ReadingLanguage) -> None:
    for rule in RULES.values():
        for item in sample_cards(rule, language):
            assert word_count(_seen(item, language)) == word_count(item.text), item.text


def test_a_claim_says_no_time_that_a_moment_under_it_says() -> None:
    item = sample_cards(RULES["FIL001"], "en")[0]
    card = drafted_card(item, heading="")
    assert card.claim == "You often said “um” or “uh” (1:05, 2:20, 2:51)."
    assert card.claim_alone == "You often said “um” or “uh”."
    # Where a coach took a moment out, the claim still says when.
    assert replace(card, clips=card.clips[:2]).claim_alone == card.claim
    stretch = drafted_card(sample_cards(RULES["GES001"], "en")[0], heading="")
    assert stretch.claim_alone == stretch.claim
