"""Reports that say a little of everything, and drafts made of them."""

from __future__ import annotations

from typing import Any

from analysis.results import Report
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import Context, Draft, DraftItem, HeldBackReason, RuleSet
from feedback_rules.select import draft
from tests.feedback_rules.reports import a_report, events

FILLERS = {"fillers.filled_pauses_per_minute": {"value": 8, "interval": [6.0, 10.3], "n": 24}}
UMS = events("filled_pause", 65, 120, 170, lasting=0.4, label="um", probability=0.9)
PAUSES = {"pauses.boundary_pause_share": {"value": 0.73, "n": 26}}
AFTER_SENTENCES = events("silent_pause", 20, 80, 140, detail={"place": "sentence_end"})
TURNED = {"gaze.camera_facing_share": {"value": 0.3, "n": 900}}
LOOKS_DOWN = events("look_away", 2, 60, 100, lasting=5, label="down")
LEVEL = {"pitch.variation_quotient": {"value": 0.09, "n": 18, "interval": [0.08, 0.1]}}
CAMERA = Context(setting="camera")


def drafted(
    context: Context | None = None, rule_set: RuleSet | None = None, **report: Any
) -> Draft:
    return draft(a_report(**report), rule_set or builtin_rule_set(), context)


def rich() -> Report:
    return a_report(
        measurements=FILLERS | PAUSES | TURNED | LEVEL,
        events=[*UMS, *AFTER_SENTENCES, *LOOKS_DOWN],
    )


def shown_by(made: Draft) -> list[str]:
    return [item.rule for item in made.items]


def held_by(made: Draft, rule_id: str) -> HeldBackReason:
    return next(held.why for held in made.held_back if held.rule == rule_id)


def item_of(made: Draft, rule_id: str) -> DraftItem:
    return next(item for item in made.items if item.rule == rule_id)
