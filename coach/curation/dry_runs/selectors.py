"""Queries for dry runs: counts for every curator, examples only with the owner's consent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db.models import Case, Count, Exists, Func, OuterRef, Q, QuerySet, When

from coach.accounts.models import Purpose, User
from coach.accounts.selectors import consents_that_count
from coach.curation.dry_runs.models import DryRun, Examined
from coach.feedback.models import Feedback
from coach.rulesets.selectors import active_release
from feedback_rules.model import RuleSet

CHANGES = (
    "gained",
    "lost",
    "moved",
    "reworded",
    "newly_waiting",
    "no_longer_waiting",
    "contradicting",
)


def dry_runs_for(curator: User) -> QuerySet[DryRun]:
    """Return all dry runs, newest first; none for users who are not curators."""
    if not curator.can_curate:
        return DryRun.objects.none()
    return DryRun.objects.select_related("base", "started_by").defer("base__documents")


def latest_dry_run(rule_set: RuleSet) -> DryRun | None:
    """Return the newest finished dry run of this rule set against the current rules, or None."""
    done = DryRun.objects.filter(
        state=DryRun.State.DONE, digest=rule_set.digest, base=active_release()
    )
    return done.first()


def drafts_to_examine(dry_run: DryRun) -> QuerySet[Feedback]:
    """Return the newest draft of each take when the dry run began, in key order."""
    return _newest(_stored().filter(created_at__lte=dry_run.created_at)).order_by("pk")


def newest_drafts() -> QuerySet[Feedback]:
    """Return the newest draft of every take of every owner, for counting only."""
    return _newest(_stored())


def drafts_since(dry_run: DryRun) -> QuerySet[Feedback]:
    """Return the newest draft of each take that was analysed since the dry run began."""
    return _newest(_stored()).filter(created_at__gt=dry_run.created_at)


def _stored() -> QuerySet[Feedback]:
    return Feedback.objects.filter(run__report__isnull=False)


def _newest(stored: QuerySet[Feedback]) -> QuerySet[Feedback]:
    newer = stored.filter(rehearsal=OuterRef("rehearsal"), version__gt=OuterRef("version"))
    return stored.filter(~Exists(newer))


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The progress of a dry run."""

    done: int
    total: int

    @property
    def percent(self) -> int:
        """The whole percentage; 100 only if no reports remain."""
        return 100 * self.done // self.total if self.total else 100


def progress_of(dry_run: DryRun) -> Progress:
    """Return the progress, counted now, so that deleted takes are in neither number."""
    if dry_run.state not in DryRun.GOING_ON:
        done = dry_run.examined.count()
        return Progress(done=done, total=done)
    # Up to this row's cursor: a batch may be committed between the two queries.
    done = dry_run.examined.filter(feedback__lte=dry_run.cursor).count()
    left = drafts_to_examine(dry_run).filter(pk__gt=dry_run.cursor).count()
    return Progress(done=done, total=done + left)


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """The changes that a dry run found, over all takes that still exist."""

    reports: int
    unreadable: int
    changed: int
    """The number of takes with any visible change, for the trainee or the coach."""
    items_changed: int
    """The number of takes with different items, or the same ones in another order."""
    reworded: int
    """The number of takes in which items only change their wording."""
    rules: dict[str, dict[str, int]]
    """The count of each of `CHANGES`, by rule."""


class Changes(NamedTuple):
    """The number of readable takes with a visible change, and of all readable takes."""

    changed: int
    reports: int


def changes_of(dry_runs: Iterable[DryRun]) -> dict[UUID, Changes]:
    """Return the summary of each dry run by id; leave out those without readable takes."""
    rows = Examined.objects.filter(dry_run__in=list(dry_runs), is_readable=True)
    counted = (
        rows.order_by()
        .values_list("dry_run")
        .annotate(changed=Count("pk", filter=Q(is_changed=True)), reports=Count("pk"))
    )
    return {pk: Changes(changed=changed, reports=reports) for pk, changed, reports in counted}


def results_of(dry_run: DryRun) -> Results:
    """Return the results, counted in the database over the takes that still exist."""
    items = ~Q(gained=[]) | ~Q(lost=[]) | ~Q(moved=[])
    counts = dry_run.examined.aggregate(
        reports=Count("pk", filter=Q(is_readable=True)),
        unreadable=Count("pk", filter=Q(is_readable=False)),
        changed=Count("pk", filter=Q(is_changed=True)),
        items_changed=Count("pk", filter=items),
        reworded=Count("pk", filter=~items & ~Q(reworded=[])),
    )
    rules: dict[str, dict[str, int]] = {}
    for change in CHANGES:
        named = dry_run.examined.filter(is_changed=True).annotate(
            rule=Func(change, function="unnest")
        )
        for rule, count in named.values_list("rule").annotate(Count("pk")).order_by("rule"):
            rules.setdefault(rule, dict.fromkeys(CHANGES, 0))[change] = count
    return Results(rules=dict(sorted(rules.items())), **counts)


def examples_for(curator: User, dry_run: DryRun) -> QuerySet[Examined]:
    """Return the changed takes that a curator may view: their own, and those with consent.

    Takes with gained or lost items come first, then the others.
    """
    if not curator.can_curate:
        return Examined.objects.none()
    agrees = consents_that_count(Purpose.RULE_PREVIEW).filter(
        user=OuterRef("feedback__rehearsal__owner")
    )
    allowed = Q(feedback__rehearsal__owner=curator) | Exists(agrees)
    return (
        dry_run.examined.filter(allowed, is_changed=True)
        .select_related("feedback__rehearsal")
        .defer("feedback__draft")
        .order_by(Case(When(gained=[], lost=[], then=1), default=0), "pk")
    )
