"""From counted ums to the card: the rule speaks only where the whole range is above five."""

from __future__ import annotations

import pytest

from analysis.analysers.fillers import Fillers
from analysis.results import Report
from feedback_rules.evaluate import case_report
from feedback_rules.loader import builtin_rule_set
from feedback_rules.select import draft
from tests.analysis.spoken import filled_pause, talk_of, words

RATE = "fillers.filled_pauses_per_minute"
SECONDS_A_WORD = 0.3


def _report(count: int, seconds: float) -> Report:
    """What the analysis finds in a talk of this length with so many clear ums, spread evenly."""
    spoken = words("boats " * round(seconds / SECONDS_A_WORD), each=SECONDS_A_WORD)
    ums = [filled_pause((index + 0.5) * seconds / count) for index in range(count)]
    found = Fillers().measure(talk_of(spoken, fillers=ums))
    return case_report({"duration": seconds}).model_copy(
        update={
            "measurements": found.measurements,
            "skipped": found.skipped,
            "events": tuple(found.events),
            "words": tuple(spoken),
        }
    )


@pytest.mark.parametrize(
    ("count", "seconds", "speaks"),
    [
        (21, 180, False),
        (22, 180, True),
        (33, 300, False),
        (34, 300, True),
        (4, 25, False),
        (15, 120, False),
        (16, 120, True),
    ],
)
def test_the_limit_is_the_lower_end_of_the_central_eighty_percent(
    count: int, seconds: float, speaks: bool
) -> None:
    made = draft(_report(count, seconds), builtin_rule_set(), None)
    assert ([item.rule for item in made.items] == ["FIL001"]) is speaks
    finding = next(found for found in made.findings if found.rule == "FIL001")
    assert finding.fired is speaks


def test_the_rules_own_example_is_what_the_analysis_makes_of_so_many() -> None:
    rule = next(each for each in builtin_rule_set().rules if each.id == "FIL001")
    shown = case_report(rule.cases[0].report).measurements[RATE]
    made = _report(shown.n, 180).measurements[RATE]
    assert shown.value == pytest.approx(made.value, abs=0.1)
    assert shown.interval == pytest.approx(made.interval, abs=0.2)


def test_french_has_a_rule_of_its_own_with_its_own_source() -> None:
    rule = next(each for each in builtin_rule_set().rules if each.id == "FIL004")
    made = draft(case_report(rule.cases[0].report), builtin_rule_set(), None, language="fr")
    outcomes = {found.rule: found.fired for found in made.findings}
    assert (outcomes["FIL001"], outcomes["FIL004"]) == (False, True)
    card = next(item for item in made.items if item.rule == "FIL004")
    assert "11" in card.comparison
    assert "Rhapsodie" in card.comparison_source
