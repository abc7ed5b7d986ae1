"""Counts of the outcomes of each rule's findings, over all rows of the database."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import reduce
from operator import add
from typing import Any

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Concat
from django.utils import timezone

from coach.accounts.selectors import read_by_coaches_first
from coach.curation.statistics.tallies import NOTHING, CohortTally, RuleStatistics, Tally
from coach.feedback.models import Feedback, Firing, Verdict

LEAST_PEOPLE = 5
"""The minimum size of a displayed group; smaller ones cannot be found by subtraction either. Rule
of thumb of official statistics."""

_NOT_LET_THROUGH = (Verdict.Kind.REJECT, Verdict.Kind.REPLACE, Verdict.Kind.HOLD)


def count_takes(*, days: int | None) -> int:
    """Return the number of drafts in the statistics."""
    return counted_drafts(days).count()


def count_rules(*, days: int | None) -> dict[str, RuleStatistics]:
    """Return the statistics of all rules that ever fired, by id, in one query."""
    found: dict[str, dict[int, Tally]] = {}
    for (rule, version), tally in _tallied(_firings(days), "rule", "rule_version").items():
        found.setdefault(rule, {})[version] = tally
    return {rule: RuleStatistics(rule=rule, versions=each) for rule, each in found.items()}


def count_groups(
    *, days: int | None, rule: str | None = None
) -> dict[str, tuple[CohortTally, ...]]:
    """Return the outcomes of each rule, or of one, by cohort, without identifiable people.

    Cohorts of fewer than five people are pooled with others until they have five; if all
    of them together have fewer, there is no breakdown.
    """
    named, pooled = _large_enough(_people(days))
    firings = _firings(days) if rule is None else _firings(days).filter(rule=rule)
    found: dict[str, dict[int | None, Tally]] = {}
    for (each, cohort), tally in _tallied(firings, "rule", "feedback__rehearsal__cohort").items():
        found.setdefault(each, {})[cohort] = tally
    if rule is not None:
        found.setdefault(rule, {})
    return {each: _groups(tallies, named, pooled) for each, tallies in found.items()}


def _groups(
    tallies: Mapping[int | None, Tally], named: Iterable[_Cohort], pooled: Collection[_Cohort]
) -> tuple[CohortTally, ...]:
    groups = [
        CohortTally(
            name=each.name, people=len(each.people), tally=tallies.get(each.cohort, NOTHING)
        )
        for each in named
    ]
    if pooled:
        together = (tallies.get(each.cohort, NOTHING) for each in pooled)
        groups.append(
            CohortTally(
                name="", people=len(_together(pooled)), tally=reduce(add, together, NOTHING)
            )
        )
    return tuple(groups) if len(groups) > 1 else ()


def is_only_demonstration() -> bool:
    """Return whether no real take has feedback, so that constructed ones count."""
    return not _real_drafts().exists()


def _real_drafts() -> QuerySet[Feedback]:
    return Feedback.objects.filter(
        rehearsal__is_constructed=False, rehearsal__owner__trial_ends_at=None
    )


def counted_drafts(days: int | None) -> QuerySet[Feedback]:
    """Return the drafts that count: of real takes with an account, except replaced unread ones.

    A demonstration's takes count as long as there are no others.
    """
    newer = Feedback.objects.filter(
        rehearsal=OuterRef("rehearsal"), version__gt=OuterRef("version")
    )
    drafts = Feedback.objects.filter(
        ~Q(state=Feedback.State.DRAFT) | ~Exists(newer),
        Q(rehearsal__is_constructed=False) | ~Exists(_real_drafts()),
        rehearsal__owner__trial_ends_at=None,
    )
    if days is not None:
        drafts = drafts.filter(created_at__gte=timezone.now() - timedelta(days=days))
    return drafts


def _firings(days: int | None) -> QuerySet[Firing]:
    return Firing.objects.filter(feedback__in=counted_drafts(days))


def _tallied(firings: QuerySet[Firing], *by: str) -> dict[tuple[Any, ...], Tally]:
    """Return one tally per group, by the last decision that was not undone, as in the review.

    The database computes and counts the outcome of each firing; the few
    kinds of outcome are summed here.
    """
    all_standing = Verdict.objects.filter(item=OuterRef("item"), undone_at=None)
    # Holding back is no verdict on the rule: there was no room.
    standing = all_standing.exclude(kind=Verdict.Kind.HOLD)
    decided = firings.annotate(
        decision=Subquery(_last(standing).values(both=Concat("kind", Value(":"), "reason"))[:1]),
        stands=Subquery(_last(all_standing).values("kind")[:1]),
        reworded=Exists(standing.exclude(wording={})),
        # A withdrawn dispute no longer counts.
        said=Case(When(item__disputes__withdrawn_at=None, then=F("item__disputes__reason"))),
        chosen=F("item__is_chosen"),
    ).annotate(could_be_read=Case(When(_could_be_read(), then=True), default=False))
    rows = decided.values(*by, "decision", "reworded", "said", "chosen", "could_be_read")
    found: dict[tuple[Any, ...], Tally] = {}
    for row in rows.annotate(count=Count("pk")).order_by(*by):
        group = tuple(row[name] for name in by)
        found[group] = found.get(group, NOTHING) + _tally(row)
    return found


def _last(verdicts: QuerySet[Verdict]) -> QuerySet[Verdict]:
    return verdicts.order_by("-at", "-pk")


def _could_be_read() -> Q:
    """Return a filter for items that the trainee could read, in a draft or as released.

    If coaches read first in the group (by its current setting), nobody sees a draft, nor
    a redraft while an earlier version is released.
    """
    waits = Q(feedback__rehearsal__waits_by_choice=True) | read_by_coaches_first(
        "feedback__rehearsal__"
    )
    earlier = Feedback.objects.filter(
        rehearsal=OuterRef("feedback__rehearsal"),
        version__lt=OuterRef("feedback__version"),
        state=Feedback.State.RELEASED,
    )
    at_once = Q(chosen=True) & ~waits & ~Exists(earlier)
    has_left = ~Q(feedback__state=Feedback.State.DRAFT) & Q(
        feedback__released_at__lte=timezone.now()
    )
    was_let_through = Q(stands__isnull=False) & ~Q(stands__in=_NOT_LET_THROUGH)
    by_coach = has_left & (was_let_through | Q(chosen=True, stands=None))
    return at_once | by_coach


def _tally(row: Mapping[str, Any]) -> Tally:
    """Return the tally of firings with the same outcome."""
    count = row["count"]
    kind, _colon, reason = (row["decision"] or "").partition(":")
    is_rejected = kind in {Verdict.Kind.REJECT, Verdict.Kind.REPLACE}
    is_kept = bool(kind) and not is_rejected
    return Tally(
        fired=count,
        shown=count if row["chosen"] else 0,
        read=count if row["could_be_read"] or row["said"] else 0,
        accepted=count if is_kept and not row["reworded"] else 0,
        edited=count if is_kept and row["reworded"] else 0,
        rejected={reason: count} if is_rejected else {},
        disputed={row["said"]: count} if row["said"] else {},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cohort:
    cohort: int | None
    name: str
    people: frozenset[int]


def _people(days: int | None) -> list[_Cohort]:
    """Return the owners of counted takes, by the cohort of the take."""
    rows = counted_drafts(days).values_list(
        "rehearsal__cohort", "rehearsal__cohort__name", "rehearsal__owner"
    )
    found: dict[tuple[int | None, str], set[int]] = {}
    for cohort, name, owner in rows.distinct():
        found.setdefault((cohort, name or ""), set()).add(owner)
    return [
        _Cohort(cohort=cohort, name=name, people=frozenset(people))
        for (cohort, name), people in found.items()
    ]


def _together(cohorts: Iterable[_Cohort]) -> frozenset[int]:
    return frozenset().union(*(each.people for each in cohorts))


def _large_enough(cohorts: Iterable[_Cohort]) -> tuple[list[_Cohort], list[_Cohort]]:
    """Return the cohorts to name and those to pool, so that no small one can be derived."""
    by_size = sorted(cohorts, key=lambda each: (len(each.people), each.name))
    small = [each for each in by_size if each.cohort is None or len(each.people) < LEAST_PEOPLE]
    large = [each for each in by_size if each not in small]
    while small and large and len(_together(small)) < LEAST_PEOPLE:
        small.append(large.pop(0))
    if small and len(_together(small)) < LEAST_PEOPLE:
        return [], []
    return sorted(large, key=lambda each: each.name), small
