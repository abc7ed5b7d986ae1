"""Services that store rule versions and publish numbered releases."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache

from django.db import transaction
from django.db.models import Max

from coach.accounts.models import Cohort, User
from coach.audit.services import record_act
from coach.lib.words.placeholder_names import PROJECT
from coach.rulesets.models import Pin, RuleSetRelease, RuleVersion
from coach.rulesets.selectors import versions_of
from feedback_rules.loader import builtin_rule_set, rule_to_document, rule_to_yaml
from feedback_rules.model import Rule, RuleSet

BUILTIN_AUTHOR = PROJECT


def content_digest(rule: Rule) -> str:
    """Return the SHA-256 of a rule without its version number."""
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
    """Store a version. It keeps its own number if that is higher than all earlier ones."""
    last = RuleVersion.objects.filter(rule=rule.id).aggregate(last=Max("number"))["last"] or 0
    version = _version_of(rule, number=max(rule.version, last + 1), origin=origin)
    version.author = author
    version.author_name = str(author) if author else BUILTIN_AUTHOR
    version.why = why
    version.base = base
    version.save()
    return version


def _version_of(rule: Rule, *, number: int, origin: RuleVersion.Origin) -> RuleVersion:
    numbered = rule.model_copy(update={"version": number})
    return RuleVersion(
        rule=rule.id,
        number=number,
        text=_canonical_text(numbered.model_dump_json()),
        document=rule_to_document(numbered),
        digest=content_digest(rule),
        origin=origin,
        author_name=BUILTIN_AUTHOR,
    )


@lru_cache(maxsize=128)
def _canonical_text(document: str) -> str:
    """Return the canonical YAML, cached: writing a rule takes milliseconds."""
    return rule_to_yaml(Rule.model_validate_json(document))


@transaction.atomic
def publish_release(
    *,
    versions: Iterable[RuleVersion],
    kind: RuleSetRelease.Kind,
    actor: User | None,
    note: str = "",
    restores: RuleSetRelease | None = None,
) -> RuleSetRelease:
    """Publish these versions as the next numbered release, which new drafts use."""
    in_order = sorted(versions, key=lambda each: each.rule)
    rules = tuple(Rule.model_validate(version.document) for version in in_order)
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
    """Return the next number, locking the active row so that concurrent publications are
    serialised.
    """
    RuleSetRelease.objects.select_for_update().filter(is_active=True).first()
    return (RuleSetRelease.objects.aggregate(last=Max("number"))["last"] or 0) + 1


@transaction.atomic
def publish_builtin_rules(*, actor: User | None = None) -> RuleSetRelease:
    """Publish the built-in rules of this version of Rostrum, except those changed by a curator.

    A rule that a curator changed keeps their text: the new built-in document is only stored, for
    the studio to offer. Upgrades never change released feedback: they only add a numbered release.
    """
    active = RuleSetRelease.objects.select_for_update().filter(is_active=True).first()
    wanted = _first_versions() if active is None else _upgraded_versions(active)
    if active is not None and wanted == versions_of(active):
        return active
    return publish_release(versions=wanted.values(), kind=RuleSetRelease.Kind.BUILTIN, actor=actor)


def _first_versions() -> dict[str, RuleVersion]:
    """Return the built-in rules of a new installation."""
    builtin = builtin_rule_set().rules
    if RuleVersion.objects.exists():
        return {rule.id: _known_builtin(rule) or _stored_builtin(rule, None) for rule in builtin}
    fresh = [
        _version_of(rule, number=rule.version, origin=RuleVersion.Origin.BUILTIN)
        for rule in builtin
    ]
    return {version.rule: version for version in RuleVersion.objects.bulk_create(fresh)}


def _upgraded_versions(active: RuleSetRelease) -> dict[str, RuleVersion]:
    """Return the versions in use, with each new built-in rule that no curator has changed."""
    wanted = _standing_versions(active)
    for rule in builtin_rule_set().rules:
        standing = wanted.get(rule.id)
        if _known_builtin(rule) is None:
            version = _stored_builtin(rule, standing)
            if _may_replace(standing, version):
                wanted[rule.id] = version
    return wanted


def _standing_versions(active: RuleSetRelease) -> dict[str, RuleVersion]:
    """Return the versions of the active release; documents older than stored versions are
    stored.
    """
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
    """Return the row of a built-in document stored earlier; None if there is none."""
    known = RuleVersion.objects.filter(
        rule=rule.id, digest=content_digest(rule), origin=RuleVersion.Origin.BUILTIN
    )
    return known.order_by("-number").first()


def _stored_builtin(rule: Rule, standing: RuleVersion | None) -> RuleVersion:
    return store_version(rule=rule, origin=RuleVersion.Origin.BUILTIN, base=standing)


def _may_replace(standing: RuleVersion | None, builtin: RuleVersion) -> bool:
    """Return whether a built-in rule may replace the current one, which no curator changed
    or muted.
    """
    if standing is None:
        return not RuleVersion.objects.filter(rule=builtin.rule).exclude(pk=builtin.pk).exists()
    return standing.origin == RuleVersion.Origin.BUILTIN


def pin_release(
    *, user: User, cohorts: Iterable[Cohort], release: RuleSetRelease, holder: str
) -> None:
    """Draft a person's takes in these cohorts with this release until `holder` releases them."""
    for cohort in cohorts:
        Pin.objects.update_or_create(
            user=user, cohort=cohort, holder=holder, defaults={"release": release}
        )


def move_pins(*, holder: str, release: RuleSetRelease) -> int:
    """Move all pins of this holder to another release; return their number."""
    return Pin.objects.filter(holder=holder).update(release=release)


def let_go_of_pins(*, holder: str, user: int | None = None) -> None:
    """Remove the pins of this holder, or only those of one person."""
    pins = Pin.objects.filter(holder=holder)
    (pins if user is None else pins.filter(user=user)).delete()
