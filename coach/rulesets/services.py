"""Publishing rule sets."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.rulesets.models import RuleSetRelease
from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import RuleSet


@transaction.atomic
def publish_builtin_rules(*, actor: User | None = None) -> RuleSetRelease:
    """Publish the rules that come with this version, unless the active set already is them.

    Upgrades never change released feedback: they only add a numbered set.
    """
    # Serialises two processes that start at the same time.
    active = RuleSetRelease.objects.select_for_update().filter(is_active=True).first()
    number = (RuleSetRelease.objects.aggregate(last=Max("number"))["last"] or 0) + 1
    rule_set = RuleSet(number=number, rules=builtin_rule_set().rules)
    if active is not None and active.digest == rule_set.digest:
        return active
    RuleSetRelease.objects.filter(is_active=True).update(is_active=False)
    release = RuleSetRelease.objects.create(
        number=number,
        digest=rule_set.digest,
        documents=[rule.model_dump(mode="json") for rule in rule_set.rules],
        published_by=actor,
        is_active=True,
    )
    record_act(action="rulesets.published", target=release, actor=actor, number=number)
    return release
