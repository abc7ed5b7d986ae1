"""What keeps a rule from being approved, in words that need no programming."""

from __future__ import annotations

from django.utils import translation

from coach.curation.approval_checks import open_problems
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Rule

RULES = {rule.id: rule for rule in builtin_rule_set().rules}


def with_threshold(rule: Rule, value: float) -> Rule:
    first = rule.when.all[0].model_copy(update={"value": value})
    rest = rule.when.all[1:]
    return rule.model_copy(update={"when": rule.when.model_copy(update={"all": (first, *rest)})})


def test_a_rule_that_holds_has_no_problem() -> None:
    assert open_problems(RULES["PAU001"]) == ()


def test_a_case_that_should_make_it_speak_says_why_it_is_silent() -> None:
    problems = open_problems(with_threshold(RULES["PAU001"], 3))
    assert (
        "The case “three in three minutes” fails. The rule should give a card here, but it does "
        "not. Measured, and nothing that we would raise."
    ) in problems
    assert not any("at_least" in problem or "case '" in problem for problem in problems)


def test_why_it_is_silent_is_said_in_the_language_of_who_reads() -> None:
    with translation.override("fr"):
        said = " ".join(open_problems(with_threshold(RULES["PAU001"], 3)))
    assert "et elle se tait. Mesuré, et rien à signaler." in said


def test_a_case_whose_name_has_quotation_marks_is_named_within_others() -> None:
    rule = with_threshold(RULES["FIL001"], 1)
    cases = tuple(
        each.model_copy(update={"name": "un «\u00a0euh\u00a0» de trop"}) for each in rule.cases
    )
    with translation.override("fr"):
        said = " ".join(open_problems(rule.model_copy(update={"cases": cases})))
    assert "Le cas «\u00a0un “euh” de trop\u00a0»" in said


def test_a_case_in_which_it_should_be_silent_says_that_it_speaks() -> None:
    problems = open_problems(with_threshold(RULES["FIL001"], 1))
    assert any(
        each.endswith("The rule should give no card here, but it does.") for each in problems
    )


def test_a_case_that_should_wait_for_a_coach_says_that_it_does_not() -> None:
    rule = RULES["FIL001"]
    first, *rest = rule.cases
    waiting = rule.model_copy(
        update={"cases": (first.model_copy(update={"needs_coach": True}), *rest)}
    )
    (problem,) = open_problems(waiting)
    assert problem.endswith("The card should wait for a coach here, but it does not.")


def test_no_card_at_all_is_said_once_and_not_for_each_language() -> None:
    problems = open_problems(with_threshold(RULES["PAU010"], 0.99))
    assert problems.count("None of its cases gives a card.") == 1
    assert not any("in fr" in problem for problem in problems)
