"""Former focus that needs no more work in this take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from analysis.metrics import BY_ID
from analysis.results import Report
from feedback_rules.evaluate import Facts
from feedback_rules.evaluate.engine import beyond_edge
from feedback_rules.model import (
    Context,
    Finding,
    Outcome,
    ReachedFocus,
    ReadingLanguage,
    Rule,
)
from feedback_rules.select.card import change_in_words
from feedback_rules.select.card_words import Subject
from feedback_rules.select.numbers import NBSP
from feedback_rules.select.score import factors_of, previous_of


def reached_focuses(
    findings: Iterable[Finding],
    rules: Mapping[str, Rule],
    report: Report,
    context: Context,
    language: ReadingLanguage,
) -> Iterator[ReachedFocus]:
    """Yield each former focus that was measured and is in its band, with its change.

    Progress is not claimed, since last time's interval is unknown. A focus that only a coach may
    raise is not declared finished.
    """
    facts = Facts.of(report, context)
    for finding in findings:
        rule = rules[finding.rule]
        previous = previous_of(rule, context)
        if previous is None or previous.tone != "improvement" or rule.decided_by == "coach":
            continue
        # Beyond its threshold, only the interval or a missing moment kept the rule silent.
        if finding.outcome is not Outcome.IN_BAND or beyond_edge(rule, facts) > 0:
            continue
        subject = Subject(
            rule=rule,
            finding=finding,
            factors=factors_of(rule, finding, context),
            facts=facts,
            language=language,
        )
        yield ReachedFocus(
            rule=rule.id,
            rule_version=rule.version,
            language=language,
            text=_text(rule, language),
            change=change_in_words(subject) if _is_clear_alone(rule) else "",
        )


def _is_clear_alone(rule: Rule) -> bool:
    """Return whether the figure is clear without its claim: not "was about 45 seconds, now 14"."""
    is_clock = rule.value_format in {"clock", "times_limit"}
    return is_clock or BY_ID[rule.severity.metric].unit != "s"


def _text(rule: Rule, language: ReadingLanguage) -> str:
    if language == "fr":
        label = _within(rule.message.fr.label)
        return f"Ce que vous travailliez ({label}){NBSP}: rien à relever cette fois."
    return f"What you worked on ({_within(rule.message.en.label)}): nothing to raise this time."


def _within(label: str) -> str:
    return label[0].lower() + label[1:]
