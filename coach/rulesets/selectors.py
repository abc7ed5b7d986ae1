"""Reading rule sets."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from django.db.models import F, Func, IntegerField, Q, QuerySet

from coach.rulesets.models import RuleSetRelease, RuleVersion
from feedback_rules.loader import rule_from_yaml
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


def rule_of(version: RuleVersion) -> Rule:
    """The rule that a version's document says, every byte of it."""
    return _read_rule(version.text, f"{version.rule}.yml")


@lru_cache(maxsize=1024)
def _read_rule(text: str, name: str) -> Rule:
    """Read once a process: a text never means anything else, and a rule cannot be changed."""
    return rule_from_yaml(text, name=name)


def versions_of(release: RuleSetRelease) -> dict[str, RuleVersion]:
    """The versions that a release is made of, by rule."""
    return versions_named((each["id"], each["version"]) for each in release.documents)


def versions_named(wanted: Iterable[tuple[str, int]]) -> dict[str, RuleVersion]:
    """These versions, by rule."""
    named = Q(pk__in=())
    for rule, number in wanted:
        named |= Q(rule=rule, number=number)
    return {each.rule: each for each in RuleVersion.objects.filter(named)}


def history_of(rule: str) -> list[RuleVersion]:
    """Every version of a rule, newest first."""
    return list(RuleVersion.objects.filter(rule=rule).select_related("author", "base"))


def releases() -> QuerySet[RuleSetRelease]:
    """Every release, newest first, with how many rules it has but without their documents."""
    size = Func(F("documents"), function="jsonb_array_length", output_field=IntegerField())
    return (
        RuleSetRelease.objects.annotate(size=size)
        .select_related("restores")
        .defer("documents", "restores__documents")
    )
