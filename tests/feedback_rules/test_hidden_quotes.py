"""Whoever may not read the transcript gets cards without a word of it, wherever a rule quotes."""

from __future__ import annotations

import pytest

from feedback_rules.evaluate import case_report
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import CardExercise, Message, ReadingLanguage, Rule, RuleSet
from feedback_rules.select import draft
from feedback_rules.select.sample import card_on
from tests.feedback_rules.reports import a_report

QUOTING = [
    rule
    for rule in builtin_rule_set().rules
    if any("{quote}" in text for text in rule.message.en.model_dump().values() if text)
]
NAMES = ("claim", "figure", "comparison", "why", "suggestion", "certainty", "counterfactual")


def quoting_everywhere(message: Message) -> Message:
    said = dict.fromkeys(NAMES, "She told me “again” {quote} and “again”.")
    exercise = CardExercise(title="Say", text="Say {quote} and “{quote}”.", minutes=1)
    task = message.exercise.model_copy(update=exercise.model_dump())
    return message.model_copy(update={**said, "exercise": task})


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("rule", QUOTING, ids=lambda rule: rule.id)
def test_others_read_no_word_of_a_quote_wherever_a_rule_puts_it(
    rule: Rule, language: ReadingLanguage
) -> None:
    messages = {name: quoting_everywhere(getattr(rule.message, name)) for name in ("en", "fr")}
    everywhere = rule.model_copy(update={"message": rule.message.model_copy(update=messages)})
    case = next(case for case in rule.cases if case.fires)
    report = case_report(case.report)
    open_card = card_on(everywhere, report, case.context, language)
    hidden = card_on(everywhere, report, case.context, language, hides_quotes=True)
    assert open_card is not None
    assert hidden is not None
    said = [quote.text.split()[0] for quote in open_card.quotes]
    assert said
    assert f"{said[0]}" in open_card.claim
    assert hidden.quotes == ()
    marks = "“…”" if language == "en" else "«\u00a0…\u00a0»"
    assert all(marks in getattr(hidden, name) for name in NAMES)
    assert all(f"“{word}" not in hidden.model_dump_json() for word in said)
    assert all(f"\u00a0{word}" not in hidden.model_dump_json() for word in said)


def test_what_was_said_at_half_of_the_time_is_among_the_quotes_of_a_claim_that_tells_it() -> None:
    rule = next(rule for rule in builtin_rule_set().rules if rule.id == "TIM001")
    case = next(case for case in rule.cases if case.report.get("words"))
    report = case_report(case.report)
    shipped = card_on(rule, report, case.context, "en")
    assert shipped is not None
    assert "knocked" in shipped.comparison
    assert shipped.quotes == (), "drafts of before stay as they are"
    for name in ("claim", "suggestion"):
        said = rule.message.en.model_copy(update={name: "Your time was up.{halfway}"})
        message = rule.message.model_copy(update={"en": said})
        telling = rule.model_copy(update={"message": message})
        card = card_on(telling, report, case.context, "en")
        hidden = card_on(telling, report, case.context, "en", hides_quotes=True)
        assert card is not None
        assert hidden is not None
        assert [quote.text for quote in card.quotes] == ["We knocked on every door"]
        assert "“We knocked" in getattr(card, name)
        assert (hidden.quotes, "knocked" in hidden.model_dump_json()) == ((), False)


def test_there_are_rules_that_quote() -> None:
    assert QUOTING


def test_a_draft_of_hidden_quotes_differs_in_its_quotes_only() -> None:
    rules = RuleSet(number=1, rules=tuple(QUOTING))
    report = a_report()
    assert draft(report, rules, None, hides_quotes=True).findings == (
        draft(report, rules, None).findings
    )
