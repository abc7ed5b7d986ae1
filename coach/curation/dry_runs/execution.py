"""Execution of a dry run by workers, one batch of stored reports at a time."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable
from functools import lru_cache, partial

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from pydantic import ValidationError

from coach.curation.dry_runs.models import DryRun, Examined
from coach.curation.dry_runs.selectors import drafts_to_examine
from coach.feedback.models import Feedback
from coach.feedback.reports import report_of
from coach.feedback.runs.drafting import stored_context
from coach.lib.work import leases
from coach.lib.work.leases import Lease, TimeLimit, heartbeat
from coach.lib.work.outages import retry_while_away
from coach.rulesets.selectors import rule_of, rule_set_of, versions_named
from feedback_rules.model import Draft, HeldBackReason, RuleSet
from feedback_rules.select import compare, draft

log = logging.getLogger(__name__)

BATCH = 100
"""The number of reports between two commits: about a second of work, so that the analysis stages of
waiting trainees are not delayed (rule of thumb)."""

BATCH_LIMIT_SECONDS = 600.0
"""The time limit of a batch; a longer one hangs, because of an endless loop in its rules (rule of
thumb)."""


def execute_batch(dry_run_id: uuid.UUID) -> bool:
    """Examine the next batch unless another worker does. Return whether reports remain.

    Safe to call any number of times from any number of workers.
    """
    lease = retry_while_away(partial(leases.acquire, DryRun.objects.all(), key=dry_run_id))
    if lease is None:
        return False
    with heartbeat(lease, TimeLimit(limit=BATCH_LIMIT_SECONDS)):
        return _batch(DryRun.objects.select_related("base").get(pk=dry_run_id), lease)


def _batch(dry_run: DryRun, lease: Lease) -> bool:
    if dry_run.attempts > settings.STAGE_MAX_ATTEMPTS:  # it killed its workers
        return _give_up(lease)
    try:
        batch = _next_batch(dry_run)
        rows = _examined(dry_run, batch)
    except Exception:  # a proposed rule may fail on a report in any way
        log.exception("dry run %s failed", dry_run.pk)
        is_over = dry_run.attempts >= settings.STAGE_MAX_ATTEMPTS
        return retry_while_away(partial(_give_up if is_over else _try_again, lease))
    return retry_while_away(partial(_conclude, lease, batch, rows))


def _next_batch(dry_run: DryRun) -> list[Feedback]:
    drafts = drafts_to_examine(dry_run).filter(pk__gt=dry_run.cursor)
    return list(
        drafts.select_related("run__report").only("context", "run__report__document")[:BATCH]
    )


def proposed_rules(dry_run: DryRun) -> RuleSet:
    """Return the rule set that the dry run tries."""
    return _proposed(dry_run.digest, tuple(sorted(dry_run.versions.items())))


@lru_cache(maxsize=4)
def _proposed(digest: str, versions: tuple[tuple[str, int], ...]) -> RuleSet:
    """Return the proposed rules, cached per process; the digest identifies them."""
    found = versions_named(versions)
    rules = tuple(rule_of(found[rule]) for rule, _number in versions)
    return RuleSet(number=1, rules=rules)


def _examined(dry_run: DryRun, batch: Iterable[Feedback]) -> list[Examined]:
    standing, proposed = rule_set_of(dry_run.base), proposed_rules(dry_run)
    return [_compared(dry_run, feedback, standing, proposed) for feedback in batch]


def _compared(
    dry_run: DryRun, feedback: Feedback, standing: RuleSet, proposed: RuleSet
) -> Examined:
    try:
        before, after = both_drafts(feedback, standing, proposed)
    except ValidationError:
        return Examined(dry_run=dry_run, feedback=feedback, is_readable=False)
    change = compare(before, after)
    return Examined(
        dry_run=dry_run,
        feedback=feedback,
        is_changed=not change.is_nothing_at_all,
        gained=list(change.gained),
        lost=list(change.lost),
        moved=list(change.moved),
        reworded=list(change.reworded),
        newly_waiting=list(change.newly_waiting),
        no_longer_waiting=list(change.no_longer_waiting),
        contradicting=sorted(_contradicting(after) - _contradicting(before)),
    )


def _contradicting(drafted: Draft) -> set[str]:
    """Return the rules that are left out because a firing rule contradicts them."""
    return {held.rule for held in drafted.held_back if held.why is HeldBackReason.CONTRADICTS}


def both_drafts(
    feedback: Feedback, standing: RuleSet, proposed: RuleSet, *, hides_quotes: bool = False
) -> tuple[Draft, Draft]:
    """Return the drafts of both rule sets for the stored report, in its stored context.

    `hides_quotes`: leave out quotes, for readers without access to the transcript.

    Raises ValidationError for a report or context that this version cannot read.
    """
    report = report_of(feedback.run)
    context = stored_context(feedback)
    before, after = (
        draft(report, rules, context, hides_quotes=hides_quotes) for rules in (standing, proposed)
    )
    return before, after


@transaction.atomic
def _conclude(lease: Lease, batch: list[Feedback], rows: list[Examined]) -> bool:
    """Save the batch, unless the dry run was cancelled or another worker took over."""
    current: DryRun | None = lease.row.select_for_update().first()
    if current is None:
        return False
    # A concurrent deletion of a take is either finished, or waits for this transaction.
    there = Feedback.objects.select_for_update(no_key=True).filter(pk__in=[b.pk for b in batch])
    standing = set(there.values_list("pk", flat=True))
    Examined.objects.bulk_create(row for row in rows if row.feedback_id in standing)
    has_more = len(batch) == BATCH
    current.state = DryRun.State.QUEUED if has_more else DryRun.State.DONE
    current.cursor = batch[-1].pk if batch else current.cursor
    current.attempts, current.lease, current.lease_until = 0, None, None
    current.queued_at = timezone.now()
    current.finished_at = None if has_more else timezone.now()
    current.save()
    return has_more


def _try_again(lease: Lease) -> bool:
    return bool(
        lease.row.update(
            state=DryRun.State.QUEUED, lease=None, lease_until=None, queued_at=timezone.now()
        )
    )


def _give_up(lease: Lease) -> bool:
    lease.row.update(
        state=DryRun.State.FAILED, lease=None, lease_until=None, finished_at=timezone.now()
    )
    return False


def stale() -> list[uuid.UUID]:
    """Return the dry runs to enqueue again after a worker died or the broker lost them."""
    return leases.stale_keys(DryRun.objects.all())
