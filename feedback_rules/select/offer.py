"""Offer of one exercise when nothing stood out; labelled as an offer, never as a finding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from analysis.results import Report
from feedback_rules.evaluate import Facts
from feedback_rules.evaluate.engine import beyond_edge
from feedback_rules.evaluate.facts import FOCUS_TAKES
from feedback_rules.model import (
    CardExercise,
    Context,
    Finding,
    Outcome,
    ReadingLanguage,
    Rule,
    WorthTrying,
)
from feedback_rules.select.numbers import neutral_of

OFFER_TAKES = FOCUS_TAKES
"""Takes after which another exercise is offered, as with a focus (rule of thumb)."""
OFFER_RESTS = 3
"""Takes for which it is then not offered; one with fewer takes starts again (rule of thumb)."""
_LEAD: dict[ReadingLanguage, str] = {
    "en": "One thing worth trying, if you like:",
    "fr": "Une chose à essayer, si vous en avez envie\u00a0:",
}
_OTHER_LEAD: dict[ReadingLanguage, str] = {
    "en": "Something else worth trying, after three takes with the same exercise:",
    "fr": "Autre chose à essayer, après trois prises avec le même exercice\u00a0:",
}


def worth_trying(
    findings: Iterable[Finding],
    rules: Mapping[str, Rule],
    report: Report,
    context: Context,
    language: ReadingLanguage,
) -> WorthTrying | None:
    """Return the exercise of the metric closest to its threshold, the chosen goal first; None if
    there is none.

    Behaviour that a strength has just praised is excluded.

    The last take's exercise stays, so that it can be tried, until it has had its takes; people who
    read the same advice three times know it. Then another is offered, or none.
    """
    facts, found = Facts.of(report, context), tuple(findings)
    praised = {other for each in found if each.fired for other in rules[each.rule].never_with}
    near = (
        rules[finding.rule]
        for finding in found
        if _is_silent_by_value(finding, rules[finding.rule])
    )
    candidates = [rule for rule in near if rule.id not in praised and _has_occurred(rule, report)]
    had = _advised_often_enough(context)
    fresh = [rule for rule in candidates if rule.id not in had]
    if not fresh:
        return None
    last = next((each.rule for each in context.previous_offers if each.ago == 1), "")
    chosen = min(
        fresh,
        key=lambda r: (r.quality != context.goal, r.id != last, _distance(r, facts), r.id),
    )
    return _offer(chosen, language, lead=_OTHER_LEAD if last in had else _LEAD)


def _advised_often_enough(context: Context) -> set[str]:
    """Return rules advised often enough for now, as an offer or as something to work on."""
    offered = {
        each.rule
        for each in context.previous_offers
        if each.takes >= OFFER_TAKES and each.ago <= OFFER_RESTS
    }
    shown = {each.rule for each in context.previous_items if each.tone == "improvement"}
    return offered | shown


def _is_silent_by_value(finding: Finding, rule: Rule) -> bool:
    """Return whether the rule was measured and is silent only because of the number."""
    is_near = finding.outcome is Outcome.IN_BAND and finding.metric == rule.severity.metric
    return rule.offered and is_near and rule.tone == "improvement"


def _has_occurred(rule: Rule, report: Report) -> bool:
    """Return whether there is anything to reduce: no um needs no exercise against ums."""
    severity = rule.severity
    nothing = neutral_of(rule.value_format)
    return severity.direction != "above" or report.measurements[severity.metric].value > nothing


def _distance(rule: Rule, facts: Facts) -> float:
    """Return the distance from the threshold in widths of the rule; 0 if only the interval kept it
    silent.
    """
    return max(0.0, -beyond_edge(rule, facts) / rule.severity.width)


def _offer(
    rule: Rule, language: ReadingLanguage, *, lead: Mapping[ReadingLanguage, str]
) -> WorthTrying:
    message = rule.message.en if language == "en" else rule.message.fr
    given = message.exercise
    exercise = CardExercise(title=given.title, text=given.text, minutes=given.minutes)
    return WorthTrying(
        rule=rule.id,
        rule_version=rule.version,
        language=language,
        lead=lead[language],
        exercise=exercise,
    )
