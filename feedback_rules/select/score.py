"""Score: relevance of a finding to this person now, a product of factors from 0 to 1."""

from __future__ import annotations

from feedback_rules.evaluate.facts import FOCUS_TAKES
from feedback_rules.model import Context, Factors, Finding, PreviousItem, Rule

GOAL_MATCH = 1.0
GOAL_OTHER = 0.25
GOAL_UNSET = 0.7
"""Goal weights: a matching goal outweighs all but a far more severe finding elsewhere. Rule of
thumb.
"""
DEFAULT_WEIGHT = 0.8
NOVELTY_NEW = 1.0
NOVELTY_IMPROVING = 0.8
NOVELTY_UNCHANGED = 0.5
"""Novelty weights: new, seen before and moving towards the band, seen before and not moving (rule
of thumb).
"""
IMPROVED_SHARE = 0.1
"""Relative change that counts as an improvement."""
NO_MOMENT = 0.8
"""Factor for findings about the whole talk, which rank after playable ones. Rule of thumb."""
JUST_PAST = 0.4
"""Severity below which a value is called just past the threshold. Rule of thumb."""
LEAST_WEIGHT = 0.03
"""Weight, without the goal, below which a finding is not worth attention. Rule of thumb."""


def factors_of(rule: Rule, finding: Finding, context: Context) -> Factors:
    """Return every factor and their product."""
    goal = _goal_weight(rule, context)
    context_weight = _context_weight(rule, context)
    novelty = _novelty(rule, finding, context)
    severity, confidence = finding.severity or 0.0, finding.confidence or 0.0
    actionability = rule.weights.actionability
    evidence = 1.0 if finding.moments else NO_MOMENT
    score = goal * context_weight * severity * confidence * actionability * novelty * evidence
    return Factors(
        severity=severity,
        confidence=confidence,
        goal=goal,
        context=context_weight,
        actionability=actionability,
        novelty=novelty,
        evidence=evidence,
        score=round(score, 6),
    )


def is_slight(factors: Factors) -> bool:
    """Return whether a finding has almost no weight, regardless of the goal."""
    return factors.score / factors.goal < LEAST_WEIGHT


def previous_of(rule: Rule, context: Context) -> PreviousItem | None:
    """Return the same item of the latest take, or None."""
    return next((item for item in context.previous_items if item.rule == rule.id), None)


def _goal_weight(rule: Rule, context: Context) -> float:
    if context.goal is None:
        return GOAL_UNSET
    return GOAL_MATCH if context.goal == rule.quality else GOAL_OTHER


def _context_weight(rule: Rule, context: Context) -> float:
    """Return the mean of the curated weights for the stated context."""
    weights = rule.weights
    given = []
    if context.aim is not None:
        given.append(weights.aims.get(context.aim, DEFAULT_WEIGHT))
    if context.audience is not None:
        given.append(weights.audiences.get(context.audience, DEFAULT_WEIGHT))
    if context.setting is not None:
        given.append(weights.settings.get(context.setting, DEFAULT_WEIGHT))
    return round(sum(given) / len(given), 4) if given else DEFAULT_WEIGHT


def _novelty(rule: Rule, finding: Finding, context: Context) -> float:
    """Return the novelty weight; a focus that has had its takes counts as unchanged."""
    previous = previous_of(rule, context)
    if previous is None:
        return NOVELTY_NEW
    had_its_takes = previous.takes_shown >= FOCUS_TAKES
    if previous.value is None or finding.value is None or had_its_takes:
        return NOVELTY_UNCHANGED
    change = finding.value - previous.value
    better = -change if rule.severity.direction == "above" else change
    moved = better >= IMPROVED_SHARE * abs(previous.value) and better > 0
    return NOVELTY_IMPROVING if moved else NOVELTY_UNCHANGED
