"""No strength praises what an improvement beside it asks to begin."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from math import inf
from typing import Any

import pytest

from analysis.results import Report
from feedback_rules.evaluate import case_report
from feedback_rules.evaluate.advice import Praise, contradicts
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import (
    Behaviour,
    Case,
    Context,
    MetricCondition,
    Moment,
    Rule,
    RuleError,
    RuleSet,
)
from feedback_rules.select import draft
from tests.feedback_rules.reports import a_report, events, rule, spoken

RULES = [each for each in builtin_rule_set().rules if each.status != "retired"]
STRENGTHS = [each for each in RULES if each.tone == "strength"]
IMPROVEMENTS = [each for each in RULES if each.tone == "improvement"]
PAIRS = list(product(STRENGTHS, IMPROVEMENTS))
SAME_PLACE = (Moment(kind="speech", start=0, end=60),)
_BELOW, _ABOVE = {"below", "at_most"}, {"above", "at_least"}


def _is_kept_apart(strength: Rule, improvement: Rule) -> bool:
    """By `never_with`, by settings, or because one number cannot be both."""
    if improvement.id in strength.never_with or strength.id in improvement.never_with:
        return True
    ours, theirs = strength.applies, improvement.applies
    for name in ("aims", "audiences", "settings", "languages"):
        some, others = set(getattr(ours, name)), set(getattr(theirs, name))
        if some and others and not some & others:
            return True
    numbers = [
        (_span(one), _span(other))
        for one in _metrics(strength)
        for other in _metrics(improvement)
        if (one.metric, one.relative_to) == (other.metric, other.relative_to)
    ]
    return any(
        max(a[0], b[0]) > min(a[1], b[1]) or (max(a[0], b[0]) == min(a[1], b[1]) and a[2] + b[2])
        for a, b in numbers
    )


def _metrics(of: Rule) -> Iterator[MetricCondition]:
    yield from (each for each in of.when.all if isinstance(each, MetricCondition))


def _span(condition: MetricCondition) -> tuple[float, float, bool]:
    """From, to, and whether an end does not belong to it."""
    if condition.band is not None:
        return (*condition.band, True)
    is_open = condition.op in {"above", "below"}
    assert condition.value is not None
    if condition.op in _BELOW:
        return -inf, condition.value, is_open
    return condition.value, inf, is_open


def test_what_every_improvement_falls_back_on_is_praised_by_no_strength_beside_it() -> None:
    clashing = []
    for strength, improvement in PAIRS:
        assert strength.behaviour is not None
        assert improvement.behaviour is not None
        praise = [Praise(behaviour=strength.behaviour, moments=SAME_PLACE)]
        if contradicts(improvement.behaviour, SAME_PLACE, praise) and not _is_kept_apart(
            strength, improvement
        ):
            clashing.append((strength.id, improvement.id))
    assert clashing == []


def _merged(first: Case, second: Case) -> tuple[Report, Context] | None:
    """A talk in which both cases happen; the first has its say where they name one number."""
    one, other = dict(first.report), dict(second.report)
    together: dict[str, Any] = {**other, **one}
    together["duration"] = max(one.get("duration", 180), other.get("duration", 180))
    together["measurements"] = {**other.get("measurements", {}), **one.get("measurements", {})}
    together["skipped"] = {
        metric: why
        for metric, why in {**other.get("skipped", {}), **one.get("skipped", {})}.items()
        if metric not in together["measurements"]
    }
    for part in ("events", "words"):
        both = [*one.get(part, ()), *other.get(part, ())]
        alike = {json.dumps(each, sort_keys=True): each for each in both}
        together[part] = sorted(alike.values(), key=lambda each: (each["start"], each["end"]))
    given = {
        **second.context.model_dump(exclude_unset=True),
        **first.context.model_dump(exclude_unset=True),
    }
    given["baseline"] = {**second.context.baseline, **first.context.baseline}
    try:
        return case_report(together), Context.model_validate(given)
    except (RuleError, ValueError):
        return None


def _advised(improvement: Rule, suggestion: str) -> Behaviour:
    for each in improvement.suggestions:
        if suggestion == each.en:
            return each.behaviour
    assert improvement.behaviour is not None
    return improvement.behaviour


@pytest.mark.parametrize("strength", STRENGTHS, ids=lambda each: each.id)
def test_in_every_talk_of_two_cases_the_advice_is_something_else_than_the_praise(
    strength: Rule,
) -> None:
    for improvement in IMPROVEMENTS:
        cases = product(
            [case for case in strength.cases if case.fires],
            [case for case in improvement.cases if case.fires],
        )
        for one, other in cases:
            for merged in (_merged(one, other), _merged(other, one)):
                if merged is not None:
                    _check(strength, improvement, *merged)


def _check(strength: Rule, improvement: Rule, report: Report, context: Context) -> None:
    both = RuleSet(number=1, rules=(strength, improvement))
    made = draft(report, both, context, language="en")
    cards = {card.rule: card for card in (*made.items, *(held.item for held in made.held_back))}
    shown = {item.rule for item in made.items}
    if {strength.id, improvement.id} - set(cards) or not shown >= {strength.id, improvement.id}:
        return
    found = {finding.rule: finding for finding in made.findings}
    assert strength.behaviour is not None
    praise = [Praise(behaviour=strength.behaviour, moments=found[strength.id].moments)]
    advised = _advised(improvement, cards[improvement.id].suggestion)
    said = (strength.id, improvement.id, cards[improvement.id].suggestion)
    assert not contradicts(advised, found[improvement.id].moments, praise), said


PAUSES = {"pauses.boundary_pause_share": {"value": 0.95, "n": 20, "interval": [0.9, 1]}}
UMS = {"fillers.filled_pauses_per_minute": {"value": 8, "n": 24, "interval": [6, 12]}}
SILENCES = events("silent_pause", 29, 59, 89, 119, detail={"place": "sentence_end"})
SENTENCES = events("sentence", *range(0, 180, 30), lasting=29)


def _suggested(share: dict[str, Any], *starts: float, words: tuple[Any, ...] = ()) -> str:
    ums = events("filled_pause", *starts, lasting=0.4, label="um", probability=0.9)
    made = draft(
        a_report(
            measurements=UMS | share,
            events=[*ums, *SENTENCES, *(SILENCES if share is PAUSES else [])],
            words=list(words),
        ),
        builtin_rule_set(),
        Context(language="en"),
    )
    return next(item.suggestion for item in made.items if item.rule == "FIL001")


def test_where_ums_come_before_numbers_the_advice_is_about_numbers() -> None:
    words = (*spoken("61 people", start=40.4), *spoken("eleven thousand", start=70.4))
    assert "before numbers" in _suggested(PAUSES, 40, 70, 100, words=words)


def test_ums_inside_sentences_ask_for_no_silence_between_them() -> None:
    assert "inside sentences" in _suggested(PAUSES, 40, 70, 100)


def test_who_pauses_between_sentences_is_not_asked_to_begin_that() -> None:
    few = {"pauses.boundary_pause_share": {"value": 0.2, "n": 20, "interval": [0.1, 0.3]}}
    assert "try a short silence there" in _suggested(few, 30, 60, 90)
    assert "wait silently, then begin" in _suggested(PAUSES, 30, 60, 90)


def test_advice_that_fits_is_passed_over_where_a_strength_praises_it() -> None:
    """Whatever the curators' conditions let through."""
    ums = rule("FIL001")
    silence = next(each for each in ums.suggestions if each.name == "silence_before_sentences")
    open_to_all = silence.model_copy(update={"when": silence.when[:1]})
    ums = ums.model_copy(update={"suggestions": (open_to_all,)})
    made = draft(
        a_report(
            measurements=UMS | PAUSES,
            events=[*events("filled_pause", 30.2, 60.2, 90.2, lasting=0.2), *SENTENCES, *SILENCES],
        ),
        RuleSet(number=1, rules=(ums, rule("PAU010"))),
        Context(),
        language="en",
    )
    assert {item.rule for item in made.items} == {"FIL001", "PAU010"}
    advised = next(item for item in made.items if item.rule == "FIL001")
    assert advised.suggestion == ums.message.en.suggestion


def test_praise_in_one_place_leaves_advice_for_another() -> None:
    praise = Behaviour(kind="face_listeners", where=("opening",))
    said = [Praise(behaviour=praise, moments=())]
    assert contradicts(Behaviour(kind="face_listeners", where=("opening",)), (), said)
    assert not contradicts(Behaviour(kind="face_listeners", where=("ending",)), (), said)
    assert not contradicts(Behaviour(kind="vary_pitch", where=("opening",)), (), said)
