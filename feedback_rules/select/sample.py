"""Sample cards of a rule from its own cases, in every variant of its words,
for display and checks.
"""

from __future__ import annotations

from typing import get_args

from analysis.results import Report
from feedback_rules.evaluate import Facts, case_report
from feedback_rules.evaluate.engine import finding_of
from feedback_rules.evaluate.facts import BASELINE_TAKES
from feedback_rules.model import (
    Aim,
    Baseline,
    Context,
    DraftItem,
    PreviousItem,
    ReadingLanguage,
    Rule,
)
from feedback_rules.select.card import card_of
from feedback_rules.select.card_words import Subject
from feedback_rules.select.score import factors_of

_CHANGE = 1.4
"""Factor of an invented earlier value, to show the words for a change."""


def sample_cards(rule: Rule, language: ReadingLanguage) -> tuple[DraftItem, ...]:
    """Return the cards of every case that fires: plain, for each aim with its own words, as a
    change, and with a baseline.
    """
    cards = []
    for case in rule.cases:
        if not case.fires:
            continue
        report = case_report(case.report)
        for context in _variants(rule, case.context, report, language):
            card = card_on(rule, report, context, language)
            if card is not None:
                cards.append(card)
    return tuple(cards)


def card_on(
    rule: Rule,
    report: Report,
    context: Context | None,
    language: ReadingLanguage,
    *,
    hides_quotes: bool = False,
) -> DraftItem | None:
    """Return the card of this rule alone for a report; None if it does not fire.

    `hides_quotes` is for readers without access to the transcript.
    """
    given = context or Context()
    facts = Facts.of(report, given)
    finding = finding_of(rule, facts)
    if not finding.fired:
        return None
    subject = Subject(
        rule=rule,
        finding=finding,
        factors=factors_of(rule, finding, given),
        facts=facts,
        language=language,
        hides_quotes=hides_quotes,
    )
    return card_of(subject)


def _variants(
    rule: Rule, context: Context, report: Report, language: ReadingLanguage
) -> list[Context]:
    message = rule.message.en if language == "en" else rule.message.fr
    fitting = rule.applies.aims or get_args(Aim)
    aims = [aim for aim in fitting if aim in message.why_for]
    lead = report.measurements[rule.severity.metric].value
    earlier = PreviousItem(rule=rule.id, value=lead * _CHANGE, takes_shown=1, tone=rule.tone)
    usual = Baseline(value=lead * _CHANGE, takes=BASELINE_TAKES)
    own = {rule.severity.metric: usual, **context.baseline}
    return [
        context,
        *(context.model_copy(update={"aim": aim}) for aim in aims),
        context.model_copy(update={"previous_items": (earlier,)}),
        context.model_copy(update={"baseline": own}),
    ]
