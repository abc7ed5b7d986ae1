"""Services to start and cancel dry runs."""

from __future__ import annotations

from functools import partial

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.curation.dry_runs.models import DryRun
from coach.curation.dry_runs.tasks import enqueue
from coach.rulesets.selectors import active_release
from feedback_rules.explain import has_strange_placeholders
from feedback_rules.model import RuleSet


@transaction.atomic
def start_dry_run(*, curator: User, rule_set: RuleSet, title: str) -> DryRun:
    """Start a dry run of rules on every stored report, compared with the current rules.

    Safe to call twice: a running dry run of the same rules is returned. Raises
    ValidationError if no rules are in use, or if a text has unknown placeholders.
    """
    if any(has_strange_placeholders(rule) for rule in rule_set.rules):
        raise ValidationError(
            _("A placeholder in its texts cannot be filled in, so there is no card to compare.")
        )
    base = active_release()
    if base is None:
        raise ValidationError(_("No rules are in use yet, so there is nothing to compare with."))
    dry_run, is_new = DryRun.objects.get_or_create(
        base=base,
        digest=rule_set.digest,
        state__in=DryRun.GOING_ON,
        defaults={
            "title": title,
            "versions": {rule.id: rule.version for rule in rule_set.rules},
            "started_by": curator,
            "state": DryRun.State.QUEUED,
        },
    )
    if is_new:
        record_act(action="curation.dry_run_started", target=dry_run, actor=curator)
        transaction.on_commit(partial(enqueue, dry_run.pk))
    return dry_run


@transaction.atomic
def cancel_dry_run(*, dry_run: DryRun, curator: User) -> None:
    """Cancel a dry run and delete its partial results. Does nothing if it is over."""
    count = DryRun.objects.filter(pk=dry_run.pk, state__in=DryRun.GOING_ON).update(
        state=DryRun.State.CANCELLED, lease=None, lease_until=None, finished_at=timezone.now()
    )
    if count:
        dry_run.examined.all().delete()
        record_act(action="curation.dry_run_cancelled", target=dry_run, actor=curator)
