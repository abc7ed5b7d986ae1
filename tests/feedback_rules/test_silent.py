"""Where a recording has no sound, no card speaks of a time that somebody spoke."""

from __future__ import annotations

import pytest

from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Message, ReadingLanguage, Rule
from feedback_rules.select.silent import adapted_to_media
from tests.coach.factories import make_report

REPORT = make_report()
SILENT = REPORT.model_copy(update={"media": REPORT.media.model_copy(update={"audio": None})})
SEEN = [rule for rule in builtin_rule_set().rules if rule.modality in {"face", "body"}]
NAMES = ("figure", "unit", "comparison", "counterfactual")


@pytest.mark.parametrize("rule", SEEN, ids=lambda rule: rule.id)
def test_shares_are_of_the_recording(rule: Rule) -> None:
    languages: tuple[tuple[ReadingLanguage, Message], ...] = (
        ("en", rule.message.en),
        ("fr", rule.message.fr),
    )
    for language, message in languages:
        silent = adapted_to_media(message, SILENT, language)
        for name in NAMES:
            for spoken in ("speaking time", "temps de parole", "you spoke", "En parlant"):
                assert spoken not in getattr(silent, name)


def test_with_sound_every_word_stays() -> None:
    assert all(adapted_to_media(rule.message.en, REPORT, "en") == rule.message.en for rule in SEEN)
    assert any("speaking time" in rule.message.en.figure for rule in SEEN)
