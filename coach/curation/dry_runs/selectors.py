"""Reading dry runs: counts for every curator, examples only where the owner agreed."""

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
    """Every dry run, newest first; nothing for anybody but curators."""
    if not curator.can_curate:
        return DryRun.objects.none()
    return DryRun.objects.select_related("base", "started_by").defer("base__documents")


def latest_dry_run(rule_set: RuleSet) -> DryRun | None:
    """The newest finished trial of exactly these rules against the ones in force."""
    done = DryRun.objects.filter(
        state=DryRun.State.DONE, digest=rule_set.digest, base=active_release()
    )
    return done.first()


def drafts_to_examine(dry_run: DryRun) -> QuerySet[Feedback]:
    """The newest draft of each take that stood when the dry run began, in the order of keys."""
    return _newest(_stored().filter(created_at__lte=dry_run.created_at)).order_by("pk")


def newest_drafts() -> QuerySet[Feedback]:
    """The newest draft of each take, whoever's it is: for counting, and for nothing else."""
    return _newest(_stored())


def drafts_since(dry_run: DryRun) -> QuerySet[Feedback]:
    """The newest draft of each take that came in, or was analysed again, since it began."""
    return _newest(_stored()).filter(created_at__gt=dry_run.created_at)


def _stored() -> QuerySet[Feedback]:
    return Feedback.objects.filter(run__report__isnull=False)


def _newest(stored: QuerySet[Feedback]) -> QuerySet[Feedback]:
    newer = stored.filter(rehearsal=OuterRef("rehearsal"), version__gt=OuterRef("version"))
    return stored.filter(~Exists(newer))


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a dry run is."""

    done: int
    total: int

    @property
    def percent(self) -> int:
        """Whole percent, 100 only where nothing is left."""
        return 100 * self.done // self.total if self.total else 100


def progress_of(dry_run: DryRun) -> Progress:
    """Counted now, so that takes deleted on the way are in neither number."""
    if dry_run.state not in DryRun.GOING_ON:
        done = dry_run.examined.count()
        return Progress(done=done, total=done)
    # Up to the place that this row tells: a batch may be committed between two questions.
    done = dry_run.examined.filter(feedback__lte=dry_run.cursor).count()
    left = drafts_to_examine(dry_run).filter(pk__gt=dry_run.cursor).count()
    return Progress(done=done, total=done + left)


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """What would change, over all takes that stand now."""

    reports: int
    unreadable: int
    changed: int
    """Takes of which anybody would see anything different, the coach included."""
    items_changed: int
    """Takes whose items would be others, or in another order."""
    reworded: int
    """Those whose items would only read otherwise."""
    rules: dict[str, dict[str, int]]
    """By rule: how often each of `CHANGES` happens to it."""


class Changes(NamedTuple):
    """Of how many takes that could be read somebody would see anything different."""

    changed: int
    reports: int


def changes_of(dry_runs: Iterable[DryRun]) -> dict[UUID, Changes]:
    """The result of each in short; those that found no take that could be read are left out."""
    rows = Examined.objects.filter(dry_run__in=list(dry_runs), is_readable=True)
    counted = (
        rows.order_by()
        .values_list("dry_run")
        .annotate(changed=Count("pk", filter=Q(is_changed=True)), reports=Count("pk"))
    )
    return {pk: Changes(changed=changed, reports=reports) for pk, changed, reports in counted}


def results_of(dry_run: DryRun) -> Results:
    """Counted in the database; a take that was deleted since leaves no trace."""
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
    """Changed takes that this curator may look at: their own, and those whose owner agrees now.

    Those with other items come first, then those that only read differently.
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
