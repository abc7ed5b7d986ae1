"""Reading rule sets."""

from __future__ import annotations

from coach.rulesets.models import RuleSetRelease
from feedback_rules.model import Rule, RuleSet

_READ: dict[tuple[int, str], RuleSet] = {}


def active_release() -> RuleSetRelease | None:
    """The release that new drafts use."""
    return RuleSetRelease.objects.filter(is_active=True).first()


def rule_set_of(release: RuleSetRelease) -> RuleSet:
    """The release as the rules package reads it; read once a process, since it never changes."""
    key = (release.number, release.digest)
    if key not in _READ:
        rules = tuple(Rule.model_validate(document) for document in release.documents)
        _READ.clear()
        _READ[key] = RuleSet(number=release.number, rules=rules)
    return _READ[key]
