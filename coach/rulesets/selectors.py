"""Reading rule sets."""

from __future__ import annotations

from coach.rulesets.models import RuleSetRelease
from feedback_rules.model import Rule, RuleSet


def active_release() -> RuleSetRelease | None:
    """The release that new drafts use."""
    return RuleSetRelease.objects.filter(is_active=True).first()


def rule_set_of(release: RuleSetRelease) -> RuleSet:
    """The release as the rules package reads it."""
    rules = tuple(Rule.model_validate(document) for document in release.documents)
    return RuleSet(number=release.number, rules=rules)
