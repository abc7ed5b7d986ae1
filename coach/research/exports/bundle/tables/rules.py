"""Table of the rules used for drafting, to look up rule ids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from coach.feedback.models import Feedback
from coach.research.exports.bundle.scope import Included
from coach.research.exports.bundle.spec import Row, Table, text, whole
from coach.research.studies.models import Scope
from coach.rulesets.models import RuleSetRelease
from coach.rulesets.selectors import rule_set_of
from feedback_rules.model import Rule
from feedback_rules.model.values import DecidedBy, Grade, Status, Tone


def _rules(included: Included) -> Iterator[Row]:
    """Yield each version of each rule in the rule sets of these takes, including silent ones."""
    takes = [take.rehearsal.pk for take in included.takes_with(Scope.FEEDBACK)]
    drafted = Feedback.objects.filter(rehearsal__in=takes, created_at__lte=included.cut_off)
    used = RuleSetRelease.objects.filter(pk__in=drafted.order_by().values("rule_set"))
    versions: dict[tuple[str, int], tuple[Rule, list[int]]] = {}
    for release in used.defer("documents").order_by("number"):
        for rule in rule_set_of(release).rules:
            _rule, sets = versions.setdefault((rule.id, rule.version), (rule, []))
            sets.append(release.number)
    for _key, (rule, sets) in sorted(versions.items(), key=lambda pair: pair[0]):
        yield {
            "rule": rule.id,
            "rule_version": rule.version,
            "rule_sets": " ".join(str(each) for each in sets),
            "title": rule.title,
            "claim": rule.message.en.claim,
            "tone": rule.tone,
            "category": rule.quality,
            "family": rule.family,
            "metric_id": rule.severity.metric,
            "grade": rule.grade,
            "status": rule.status,
            "decided_by": rule.decided_by,
            "source": rule.source,
        }


RULE_TABLES = (
    Table(
        name="rules",
        title="Rules used for drafting takes, including those that gave no card",
        key=("rule", "rule_version"),
        rows=_rules,
        is_kept_as_it_came=True,
        may_be_missing=True,
        columns=(
            text("rule", "Name of the rule, as in feedback_items.csv"),
            whole("rule_version", "Version of the rule", least=1),
            text("rule_sets", "Numbers of the rule sets with this version, separated by spaces"),
            text("title", "Title of the rule", free=True),
            text("claim", "English text of its card; figures are in braces", free=True),
            text("tone", "Strength or something to work on", *get_args(Tone)),
            text("category", "Quality of the talk the item is about"),
            text("family", "Family of measures it is based on"),
            text("metric_id", "Primary measure, described in metrics.csv"),
            text(
                "grade",
                "Level of evidence: A, a controlled study links it to listeners' judgements; "
                "B, norms without a threshold; C, a teaching convention",
                *get_args(Grade),
            ),
            text("status", "Status; draft and retired rules never give cards", *get_args(Status)),
            text("decided_by", "Whether a coach has to approve the card", *get_args(DecidedBy)),
            text("source", "Source of the card, in one line", free=True),
        ),
    ),
)
