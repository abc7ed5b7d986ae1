"""Reading rule sets."""

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
    """The release that new drafts use; its documents are read where somebody asks for them."""
    return _active().defer("documents").first()


def _active() -> QuerySet[RuleSetRelease]:
    return RuleSetRelease.objects.filter(is_active=True)


def release_for(*, owner: int, cohort: int | None) -> RuleSetRelease | None:
    """The release that a new draft uses: the one that this person's takes there are held to.

    Of several the first that held; where nothing holds them, the active one. Its documents are not
    read before somebody asks for them: most processes know them already (`rule_set_of`).
    """
    held = Pin.objects.filter(user=owner, cohort=cohort).select_related("release")
    pin = held.defer("release__documents").first()
    return pin.release if pin else active_release()


def rule_set_of(release: RuleSetRelease) -> RuleSet:
    """The release as the rules package reads it; read once a process, since it never changes.

    What was found is returned as it was found: another thread may drop what is kept at any time.
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
    """What lists say of a rule: no more of its document is read."""

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
    """The rules of a release by id; read once a process, since it never changes."""
    key = (release.number, release.digest)
    known = _NAMES.get(key)
    if known is None:
        known = _read_names(release.pk)
        if len(_NAMES) >= _MOST_RELEASES:
            _NAMES.clear()
        _NAMES[key] = known
    return known


def active_rule_names() -> dict[str, RuleName]:
    """The rules that new drafts use, by id."""
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
    """The rule that a version's document says, every byte of it."""
    return _read_rule(version.text, f"{version.rule}.yml")


@lru_cache(maxsize=1024)
def _read_rule(text: str, name: str) -> Rule:
    """Read once a process: a text never means anything else, and a rule cannot be changed."""
    return rule_from_yaml(text, name=name)


def versions_of(release: RuleSetRelease) -> dict[str, RuleVersion]:
    """The versions that a release is made of, by rule."""
    names = rule_names_of(release)
    return versions_named((rule, name.version) for rule, name in names.items())


def version_in(release: RuleSetRelease, rule: str) -> RuleVersion | None:
    """The version of one rule that a release is made of."""
    name = rule_names_of(release).get(rule)
    return versions_named([(rule, name.version)]).get(rule) if name else None


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
