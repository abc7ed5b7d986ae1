"""Storing rule documents and publishing numbered sets of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from django.db import transaction
from django.db.models import Max

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.rulesets.models import RuleSetRelease, RuleVersion
from coach.rulesets.selectors import rule_of, versions_of
from feedback_rules.loader import builtin_rule_set, rule_to_document, rule_to_yaml
from feedback_rules.model import Rule, RuleSet

BUILTIN_AUTHOR = "Rostrum project"


def content_digest(rule: Rule) -> str:
    """SHA-256 of everything but the number of the version."""
    same_number = rule.model_copy(update={"version": 1})
    return hashlib.sha256(same_number.canonical().encode()).hexdigest()


@transaction.atomic
def store_version(
    *,
    rule: Rule,
    origin: RuleVersion.Origin,
    author: User | None = None,
    why: str = "",
    base: RuleVersion | None = None,
) -> RuleVersion:
    """Add a document. It keeps its own number where that is free and higher than all before."""
    last = RuleVersion.objects.filter(rule=rule.id).aggregate(last=Max("number"))["last"] or 0
    numbered = rule.model_copy(update={"version": max(rule.version, last + 1)})
    return RuleVersion.objects.create(
        rule=rule.id,
        number=numbered.version,
        text=rule_to_yaml(numbered),
        document=rule_to_document(numbered),
        digest=content_digest(rule),
        origin=origin,
        author=author,
        author_name=str(author) if author else BUILTIN_AUTHOR,
        why=why,
        base=base,
    )


@transaction.atomic
def publish_release(
    *,
    versions: Iterable[RuleVersion],
    kind: RuleSetRelease.Kind,
    actor: User | None,
    note: str = "",
    restores: RuleSetRelease | None = None,
) -> RuleSetRelease:
    """Publish these documents as the next numbered set; new drafts use it from now on."""
    rules = tuple(rule_of(version) for version in sorted(versions, key=lambda each: each.rule))
    number = _next_number()
    rule_set = RuleSet(number=number, rules=rules)
    RuleSetRelease.objects.filter(is_active=True).update(is_active=False)
    release = RuleSetRelease.objects.create(
        number=number,
        kind=kind,
        digest=rule_set.digest,
        documents=[rule.model_dump(mode="json") for rule in rules],
        note=note,
        restores=restores,
        published_by=actor,
        published_by_name=str(actor) if actor else "",
        is_active=True,
    )
    record_act(action="rulesets.published", target=release, actor=actor, number=number, kind=kind)
    return release


def _next_number() -> int:
    """Holds the active row, so that two who publish at once come one after the other."""
    RuleSetRelease.objects.select_for_update().filter(is_active=True).first()
    return (RuleSetRelease.objects.aggregate(last=Max("number"))["last"] or 0) + 1


@transaction.atomic
def publish_builtin_rules(*, actor: User | None = None) -> RuleSetRelease:
    """Publish the rules that come with this version of Rostrum, where nobody has changed them.

    A rule that a curator changed keeps their words: the new built-in document is only stored, for
    the studio to offer. Upgrades never change released feedback: they only add a numbered set.
    """
    active = RuleSetRelease.objects.select_for_update().filter(is_active=True).first()
    standing = _standing_versions(active)
    wanted = dict(standing)
    for rule in builtin_rule_set().rules:
        known = _known_builtin(rule)
        version = known or store_version(
            rule=rule, origin=RuleVersion.Origin.BUILTIN, base=standing.get(rule.id)
        )
        if active is None or (known is None and _may_replace(standing.get(rule.id), version)):
            wanted[rule.id] = version
    if active is not None and wanted == standing:
        return active
    return publish_release(versions=wanted.values(), kind=RuleSetRelease.Kind.BUILTIN, actor=actor)


def _standing_versions(active: RuleSetRelease | None) -> dict[str, RuleVersion]:
    """What the active release is made of; documents from before versions were kept are stored."""
    if active is None:
        return {}
    known = versions_of(active)
    for document in active.documents:
        if document["id"] not in known:
            rule = Rule.model_validate(document)
            builtin = {each.id: each for each in builtin_rule_set().rules}.get(rule.id)
            same = builtin is not None and content_digest(builtin) == content_digest(rule)
            known[rule.id] = store_version(
                rule=builtin if builtin is not None and same else rule,
                origin=RuleVersion.Origin.BUILTIN,
            )
    return known


def _known_builtin(rule: Rule) -> RuleVersion | None:
    """The row of this built-in document, where an earlier start stored it."""
    known = RuleVersion.objects.filter(
        rule=rule.id, digest=content_digest(rule), origin=RuleVersion.Origin.BUILTIN
    )
    return known.order_by("-number").first()


def _may_replace(standing: RuleVersion | None, builtin: RuleVersion) -> bool:
    """A new rule may come in, a built-in one move on; what a curator changed or muted stays."""
    if standing is None:
        return not RuleVersion.objects.filter(rule=builtin.rule).exclude(pk=builtin.pk).exists()
    return standing.origin == RuleVersion.Origin.BUILTIN
