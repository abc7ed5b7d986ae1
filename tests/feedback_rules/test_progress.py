"""Praise for change: against the person's own takes, and only beyond the error of measuring."""

from __future__ import annotations

import re
from typing import Any

import pytest

from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import READING_LANGUAGES, Context, Draft, Outcome
from feedback_rules.select import draft
from tests.feedback_rules.reports import a_report, events, outcome

UMS = events("filled_pause", 65, 120, 170, lasting=0.4, label="um", probability=0.9)
TAKEN = {
    "FIL011": ("fillers.filled_pauses_per_minute", 8.0, 3.5, 0.7),
    "PRG010": ("pauses.boundary_pause_share", 0.28, 0.45, 0.08),
    "PRG011": ("pitch.sd_semitones", 2.0, 2.6, 0.2),
    "PRG012": ("gaze.camera_facing_share", 0.5, 0.68, 0.08),
    "PRG013": ("pace.end_rush_ratio", 1.3, 1.05, 0.08),
}
"""The metric, the own usual, the value now, and half of its interval."""


def _take(rule_id: str, *, half: float | None = None, takes: int = 4, **more: Any) -> Draft:
    metric, usual, now, error = TAKEN[rule_id]
    around = error if half is None else half
    measured = {"value": now, "n": 24, "interval": [now - around, now + around]}
    context = Context.model_validate(
        {"setting": "camera", "baseline": {metric: {"value": usual, "takes": takes}}, **more}
    )
    report = a_report(duration=240, measurements={metric: measured}, events=UMS)
    return draft(report, builtin_rule_set(), context)


@pytest.mark.parametrize("rule_id", TAKEN)
def test_a_change_beyond_the_error_is_named_as_change(rule_id: str) -> None:
    made = _take(rule_id)
    assert outcome(made, rule_id) is Outcome.FIRED
    item = next(item for item in made.items if item.tone == "strength")
    assert item.rule == rule_id
    assert item.is_progress
    said = f"{item.claim} {item.figure}"
    assert any(words in said for words in ("earlier takes", "usual"))


@pytest.mark.parametrize("rule_id", TAKEN)
def test_a_change_within_the_error_is_none(rule_id: str) -> None:
    _metric, usual, now, _half = TAKEN[rule_id]
    assert outcome(_take(rule_id, half=abs(now - usual) + 0.01), rule_id) is Outcome.IN_BAND


@pytest.mark.parametrize("rule_id", TAKEN)
def test_two_takes_are_no_usual(rule_id: str) -> None:
    assert outcome(_take(rule_id, takes=2), rule_id) is Outcome.MISSING_CONTEXT


@pytest.mark.parametrize("rule_id", TAKEN)
def test_both_languages_tell_of_change(rule_id: str) -> None:
    for language in READING_LANGUAGES:
        metric, usual, now, half = TAKEN[rule_id]
        measured = {"value": now, "n": 24, "interval": [now - half, now + half]}
        context = Context.model_validate(
            {"setting": "camera", "baseline": {metric: {"value": usual, "takes": 4}}}
        )
        report = a_report(duration=240, measurements={metric: measured})
        made = draft(report, builtin_rule_set(), context, language=language)
        item = next(item for item in made.items if item.rule == rule_id)
        assert "de environ" not in item.text
        assert re.search(r"earlier takes|prises précédentes|d’habitude", item.text)


def test_progress_comes_before_praise_of_the_whole_and_before_the_advice() -> None:
    metric, usual, now, half = TAKEN["PRG010"]
    measurements = {
        metric: {"value": now, "n": 24, "interval": [now - half, now + half]},
        "signal.talk_seconds": 170,
        "fillers.filled_pauses_per_minute": {"value": 8, "interval": [6.0, 10.3], "n": 24},
    }
    context = Context.model_validate(
        {"time_limit": 180, "baseline": {metric: {"value": usual, "takes": 4}}}
    )
    report = a_report(measurements=measurements, events=UMS)
    made = draft(report, builtin_rule_set(), context)
    assert [item.rule for item in made.items] == ["PRG010", "FIL001"]


def test_the_own_usual_is_left_out_where_the_words_would_turn_it_round() -> None:
    """Usually a tenth slower at the end was told as "about a tenth faster than the rest"."""
    rush = {"pace.end_rush_ratio": {"value": 1.3, "n": 10, "interval": [1.22, 1.38]}}
    ending = events("end_rush", 144, lasting=35)

    def comparison(usual: float) -> str:
        baseline = {"pace.end_rush_ratio": {"value": usual, "takes": 4}}
        context = Context.model_validate({"baseline": baseline})
        report = a_report(measurements=rush, events=ending)
        made = draft(report, builtin_rule_set(), context)
        cards = [*made.items, *(held.item for held in made.held_back)]
        return next(item.comparison for item in cards if item.rule == "PAC002")

    assert "Usual for you: about a tenth faster" in comparison(1.1)
    assert "Usual for you" not in comparison(0.9)


def test_a_usual_level_that_rises_is_not_told_as_falling() -> None:
    falling = {
        "loudness.trend_db": {"value": -6, "n": 90},
        "pitch.monotone_share": 0.3,
        "signal.snr_db": 25,
    }
    baseline = {"loudness.trend_db": {"value": 1.5, "takes": 4}}
    context = Context.model_validate({"baseline": baseline})
    made = draft(a_report(measurements=falling), builtin_rule_set(), context)
    item = next(item for item in made.items if item.rule == "LOU002")
    assert "Usual for you" not in item.comparison
