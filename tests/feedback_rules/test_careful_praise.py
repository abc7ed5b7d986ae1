"""A strength speaks only where the whole range of its number is beyond its threshold."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from feedback_rules.evaluate import Facts, case_report
from feedback_rules.evaluate.engine import finding_of
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Case, MetricCondition, Outcome, Rule
from feedback_rules.select.sample import card_on
from tests.feedback_rules.reports import rule

STRENGTHS = [each for each in builtin_rule_set().rules if each.tone == "strength"]
IMPOSSIBLE = (-1e6, 1e6)


def _with(case: Case, metric: str, interval: tuple[float, float]) -> dict[str, Any]:
    report = deepcopy(dict(case.report))
    given = report["measurements"][metric]
    value = given["value"] if isinstance(given, dict) else given
    more = given if isinstance(given, dict) else {}
    report["measurements"][metric] = {**more, "value": value, "interval": list(interval)}
    return report


@pytest.mark.parametrize("strength", STRENGTHS, ids=lambda each: each.id)
def test_praise_whose_range_reaches_past_the_threshold_is_kept_back(strength: Rule) -> None:
    case = next(case for case in strength.cases if case.fires)
    for condition in strength.when.all:
        if not isinstance(condition, MetricCondition):
            continue
        report = case_report(_with(case, condition.metric, IMPOSSIBLE))
        finding = finding_of(strength, Facts.of(report, case.context))
        assert not finding.fired, condition.metric


@pytest.mark.parametrize(
    ("name", "metric", "value", "interval"),
    [
        ("PAU010", "pauses.boundary_pause_share", 0.5556, (0.35, 0.75)),
        ("LOU010", "loudness.sentence_end_drop_share", 0.0, (0.0, 0.15)),
        ("GAZ011", "gaze.camera_facing_share", 0.78, (0.68, 0.85)),
    ],
)
def test_a_value_at_the_edge_is_told_as_too_uncertain(
    name: str, metric: str, value: float, interval: tuple[float, float]
) -> None:
    strength = rule(name)
    case = next(case for case in strength.cases if case.fires)
    report = deepcopy(dict(case.report))
    report["measurements"][metric] = {"value": value, "n": 26, "interval": list(interval)}
    finding = finding_of(strength, Facts.of(case_report(report), case.context))
    assert finding.outcome is Outcome.IN_BAND
    assert finding.is_too_uncertain


@pytest.mark.parametrize(
    ("interval", "said"),
    [
        ((0.92, 1.0), "nearly all of them (range 90–100%)"),
        ((0.6, 1.0), "at least 60% of them."),
    ],
)
def test_nearly_all_is_said_only_of_what_is_nearly_all_at_its_careful_end(
    interval: tuple[float, float], said: str
) -> None:
    strength = rule("PAU010")
    case = next(case for case in strength.cases if case.fires)
    report = deepcopy(dict(case.report))
    report["measurements"]["pauses.boundary_pause_share"] = {
        "value": 1.0,
        "n": 12,
        "interval": list(interval),
    }
    card = card_on(strength, case_report(report), case.context, "en")
    assert card is not None
    assert said in card.figure
