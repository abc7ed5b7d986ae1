"""Queries about rule versions and releases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import F, Func, IntegerField, JSONField, Q, QuerySet

from coach.rulesets.models import Pin, RuleSetRelease, RuleVersion
from feedback_rules.loader import rule_from_yaml
from feedback_rules.model import Rule, RuleSet

_READ: dict[tuple[int, str], RuleSet] = {}
_MOST_READ = 4
"""The active one and those that people are held to; 2 MB each (rule of thumb)."""
_MOST_RELEASES = 64


def active_release() -> RuleSetRelease | None:
    """Return the release for new drafts, with its documents deferred; None if there is none."""
    return _active().defer("documents").first()


def _active() -> QuerySet[RuleSetRelease]:
    return RuleSetRelease.objects.filter(is_active=True)


def release_for(*, owner: int, cohort: int | None) -> RuleSetRelease | None:
    """Return the release for a new draft: the pinned one of this person there, or the active one.

    Of several pins the first counts. Its documents are deferred: most processes have cached them
    (`rule_set_of`). None without any release.
    """
    held = Pin.objects.filter(user=owner, cohort=cohort).select_related("release")
    pin = held.defer("release__documents").first()
    return pin.release if pin else active_release()


def rule_set_of(release: RuleSetRelease) -> RuleSet:
    """Return the rule set of a release, cached per process, since a release never changes.

    The local reference is returned, because another thread may clear the cache at any time.
    """
    key = (release.number, release.digest)
    known = _READ.get(key)
    if known is None:
        rules = tuple(Rule.model_validate(document) for document in release.documents)
        known = RuleSet(number=release.number, rules=rules)
        if len(_READ) >= _MOST_READ:
            _READ.clear()
        _READ[key] = known
    return known


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleName:
    """Summary of a rule for lists, without the rest of its document."""

    title: str
    version: int
    label_en: str
    label_fr: str
    decided_by: str
    is_on_trial: bool
    """Coaches' verdicts decide whether it stays."""
    is_silent: bool
    """It is a draft, or retired: it is in the set and never speaks."""
    metric: str
    """Of the value that a card shows; empty where events alone decide."""


_NAMES: dict[tuple[int, str], dict[str, RuleName]] = {}


def rule_names_of(release: RuleSetRelease) -> dict[str, RuleName]:
    """Return the rules of a release by id, cached per process, since a release never changes."""
    key = (release.number, release.digest)
    known = _NAMES.get(key)
    if known is None:
        known = _read_names(release.pk)
        if len(_NAMES) >= _MOST_RELEASES:
            _NAMES.clear()
        _NAMES[key] = known
    return known


def active_rule_names() -> dict[str, RuleName]:
    """Return the rules that new drafts use, by id."""
    release = active_release()
    return rule_names_of(release) if release else {}


def _read_names(release: int) -> dict[str, RuleName]:
    each = Func(F("documents"), function="jsonb_array_elements", output_field=JSONField())
    rows = (
        RuleSetRelease.objects.filter(pk=release)
        .alias(each=each)
        .values_list(
            F("each__id"),
            F("each__title"),
            F("each__version"),
            F("each__message__en__label"),
            F("each__message__fr__label"),
            F("each__decided_by"),
            F("each__status"),
            F("each__severity__metric"),
        )
    )
    return {
        rule: RuleName(
            title=title,
            version=version,
            label_en=english,
            label_fr=french,
            decided_by=decided_by,
            is_on_trial=status == "experimental",
            is_silent=status in {"draft", "retired"},
            metric=metric or "",
        )
        for rule, title, version, english, french, decided_by, status, metric in rows
    }


def rule_of(version: RuleVersion) -> Rule:
    """Return the rule in a version's document."""
    return _read_rule(version.text, f"{version.rule}.yml")


@lru_cache(maxsize=1024)
def _read_rule(text: str, name: str) -> Rule:
    """Parse a rule, cached per process: texts and rules are immutable."""
    return rule_from_yaml(text, name=name)


def versions_of(release: RuleSetRelease) -> dict[str, RuleVersion]:
    """Return the versions in a release, by rule."""
    names = rule_names_of(release)
    return versions_named((rule, name.version) for rule, name in names.items())


def version_in(release: RuleSetRelease, rule: str) -> RuleVersion | None:
    """Return the version of one rule in a release; None if it is not in it."""
    name = rule_names_of(release).get(rule)
    return versions_named([(rule, name.version)]).get(rule) if name else None


def versions_named(wanted: Iterable[tuple[str, int]]) -> dict[str, RuleVersion]:
    """Return the versions with these numbers, by rule."""
    named = Q(pk__in=())
    for rule, number in wanted:
        named |= Q(rule=rule, number=number)
    return {each.rule: each for each in RuleVersion.objects.filter(named)}


def history_of(rule: str) -> list[RuleVersion]:
    """Return every version of a rule, newest first."""
    return list(RuleVersion.objects.filter(rule=rule).select_related("author", "base"))


def releases() -> QuerySet[RuleSetRelease]:
    """Return every release, newest first, with its number of rules and without documents."""
    size = Func(F("documents"), function="jsonb_array_length", output_field=IntegerField())
    return (
        RuleSetRelease.objects.annotate(size=size)
        .select_related("restores")
        .defer("documents", "restores__documents")
    )
