"""docs/reference/ names every key, operator and placeholder that a rule may use."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from analysis.metrics import BY_ID
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Context, EventCondition, Evidence, MetricCondition, Rule
from feedback_rules.select.card_words import PLACEHOLDERS

DOCS = Path(__file__).resolve().parents[2] / "docs" / "reference"
TEXT = "".join((DOCS / name).read_text("utf-8") for name in ("rules.md", "writing-rules.md"))


@pytest.mark.parametrize("key", [*Rule.model_fields, *Context.model_fields])
def test_every_key_is_explained(key: str) -> None:
    assert f"`{key}`" in TEXT or f'"{key}"' in TEXT


@pytest.mark.parametrize("placeholder", sorted(PLACEHOLDERS))
def test_every_placeholder_is_explained(placeholder: str) -> None:
    assert f"`{{{placeholder}}}`" in TEXT


@pytest.mark.parametrize(
    "value",
    [
        *get_args(MetricCondition.model_fields["op"].annotation),
        *get_args(Rule.model_fields["value_format"].annotation),
        *get_args(Evidence.model_fields["order"].annotation),
        *get_args(Evidence.model_fields["fallback"].annotation),
    ],
)
def test_every_choice_is_explained(value: str) -> None:
    assert f"`{value}`" in TEXT


@pytest.mark.parametrize("key", EventCondition.model_fields)
def test_every_part_of_an_event_condition_is_explained(key: str) -> None:
    named = {"event", "overlap_labels", "per_minute"}
    assert f"`{key}`" in TEXT or key in named


def test_every_error_code_is_explained() -> None:
    for code in ("E300", "E301", "E302", "E310", "E311", "E312", "E313"):
        assert f"| {code} |" in TEXT


_RELATIVE = {"baseline": " of one's own usual", "time_limit": " of the limit"}


def _on_scale(number: float, rule: Rule) -> str:
    """50%, 1.5, 130% of the limit."""
    severity = rule.severity
    is_share = BY_ID[severity.metric].unit == "share" or severity.relative_to != "nothing"
    shown = f"{round(100 * number, 6):g}%" if is_share else f"{round(number, 6):g}"
    return shown + _RELATIVE.get(severity.relative_to, "")


def severity_table() -> str:
    """The line of each rule that speaks for the machine, and where it counts in full."""
    lines = ["| rule | measure | line | in full at |", "| --- | --- | --- | --- |"]
    for rule in builtin_rule_set().rules:
        severity = rule.severity
        if rule.tone == "strength" or rule.decided_by == "coach" or rule.status == "retired":
            continue
        step = severity.width if severity.direction == "above" else -severity.width
        full = _on_scale(severity.edge + step, rule)
        metric = BY_ID[severity.metric]
        unit = "" if metric.unit in {"share", "ratio"} else f", {metric.unit}"
        line = _on_scale(severity.edge, rule)
        lines.append(f"| {rule.id} | {metric.label}{unit} | {line} | {full} |")
    return "\n".join(lines)


def test_the_scale_of_severity_is_that_of_the_rules() -> None:
    begin, end = "<!-- severity: begin -->\n", "\n<!-- severity: end -->"
    assert TEXT.partition(begin)[2].partition(end)[0] == severity_table()
