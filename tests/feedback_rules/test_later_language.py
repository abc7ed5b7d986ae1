"""Somebody who speaks a language learned later is held to no first-language ways (S10)."""

from __future__ import annotations

import pytest

from feedback_rules.evaluate import Facts, case_report
from feedback_rules.evaluate.engine import finding_of
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Outcome, Rule

RULES = {rule.id: rule for rule in builtin_rule_set().rules}
FIRST_ONLY = ("PAC004", "PAU001", "PAU002", "WRD002", "WRD004", "WRD011")


def _outcomes(rule: Rule, speaks_as: str | None) -> set[Outcome]:
    """What the rule makes of all its own cases in which it speaks."""
    return {
        finding_of(
            rule,
            Facts.of(
                case_report(case.report), case.context.model_copy(update={"speaks_as": speaks_as})
            ),
        ).outcome
        for case in rule.cases
        if case.fires
    }


@pytest.mark.parametrize("rule", FIRST_ONLY)
def test_bands_of_first_language_speakers_are_silent_in_a_later_language(rule: str) -> None:
    assert _outcomes(RULES[rule], "second") == {Outcome.OTHER_CONTEXT}
    assert _outcomes(RULES[rule], "first") == {Outcome.FIRED}
    assert _outcomes(RULES[rule], None) == {Outcome.FIRED}


def test_what_compares_a_talk_with_itself_or_counts_for_any_listener_goes_on_speaking() -> None:
    for rule in ("PAC002", "FIL001", "LOU001", "SGP001", "TIM001"):
        assert _outcomes(RULES[rule], "second") == {Outcome.FIRED}


def test_every_rule_that_says_so_is_named_here() -> None:
    named = {rule.id for rule in RULES.values() if rule.applies.speakers == "first_language"}
    assert named == set(FIRST_ONLY)
