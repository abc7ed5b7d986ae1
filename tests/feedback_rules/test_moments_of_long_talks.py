"""Of many moments that are as good, those shown come from all over the talk."""

from __future__ import annotations

from typing import cast

import pytest

from analysis.results import Event
from feedback_rules.evaluate.facts import Facts
from feedback_rules.evaluate.moments import select_moments
from feedback_rules.loader import load_rules

RULES = {rule.id: rule for rule in load_rules()}
NEVER_ASKED = cast("Facts", None)
MINUTE = 60.0


def starts(rule: str, events: list[Event]) -> list[float]:
    return [moment.start for moment in select_moments(RULES[rule], tuple(events), NEVER_ASKED)]


def sentence(at: float, words: int) -> Event:
    return Event(kind="sentence", start=at, end=at + 4, detail={"words": words})


def um(at: float, probability: float) -> Event:
    return Event(kind="filled_pause", start=at, end=at + 0.4, probability=probability, label="um")


@pytest.mark.parametrize("rule", ["LOU010", "WRD011"])
def test_typical_sentences_of_a_long_talk_are_not_all_of_its_first_minute(rule: str) -> None:
    events = [sentence(10.0 * index, 12) for index in range(150)]
    assert starts(rule, events) == [0.0, 750.0, 1490.0]


def test_ums_that_are_equally_sure_are_shown_from_all_over_the_talk() -> None:
    events = [um(MINUTE * index, 0.99) for index in range(25)]
    assert starts("FIL001", events) == [0.0, 12 * MINUTE, 24 * MINUTE]


def test_the_surest_comes_first_and_its_equals_after_it() -> None:
    events = [um(MINUTE * index, 0.9) for index in range(24)] + [um(24 * MINUTE, 0.99)]
    assert starts("FIL001", events) == [0.0, 23 * MINUTE, 24 * MINUTE]
    two = [*events, um(25 * MINUTE, 0.99)]
    assert starts("FIL001", two) == [11 * MINUTE, 24 * MINUTE, 25 * MINUTE]


def test_of_few_all_are_shown() -> None:
    assert starts("FIL001", [um(3.0, 0.9), um(1.0, 0.7)]) == [1.0, 3.0]
