"""What became of each rule's findings, counted in the database, with its uncertainty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import reduce
from math import sqrt
from operator import add
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Concat
from django.utils import timezone

from coach.accounts.models import User
from coach.feedback.models import Feedback, Firing, Verdict

LEAST_DECISIONS = 30
LEAST_KEPT = 0.6
"""Under 60 % kept over 30 decisions or more, a rule is flagged for revision (literature, E6)."""
LEAST_PEOPLE = 5
"""Smaller groups are never shown by themselves, nor left to be found by subtraction.
Rule of thumb of official statistics."""
_Z = 1.96
"""A 95 % interval leaves 2.5 % on either side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """So many of so many, with Wilson's 95 % interval."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        """The share itself."""
        return self.hits / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share of all such cases may lie (Wilson 1927)."""
        z, n, p = _Z, self.of, self.value
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)


def share_of(hits: int, of: int) -> Share | None:
    """The share, or None where there is nothing to take a share of."""
    return Share(hits=hits, of=of) if of else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What became of what a rule, or one version of it, had to say."""

    fired: int = 0
    shown: int = 0
    """Chosen for a draft."""
    read: int = 0
    """Chosen, or let through by a coach: what a trainee could dispute."""
    accepted: int = 0
    """As it was written."""
    edited: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)
    """By reason."""
    disputed: Mapping[str, int] = field(default_factory=dict)
    """By what the trainee said."""

    @property
    def decisions(self) -> int:
        """Items that a coach decided on, withheld ones included."""
        return self.accepted + self.edited + sum(self.rejected.values())

    @property
    def kept(self) -> Share | None:
        """Accepted or reworded: a coach found it right to say."""
        return share_of(self.accepted + self.edited, self.decisions)

    @property
    def disputes(self) -> Share | None:
        """Of those that could be read, the ones that the trainee said are off."""
        return share_of(sum(self.disputed.values()), self.read)

    @property
    def is_flagged(self) -> bool:
        """Whether coaches keep so few of its items that it needs a revision."""
        kept = self.kept
        return kept is not None and kept.of >= LEAST_DECISIONS and kept.value < LEAST_KEPT

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            fired=self.fired + other.fired,
            shown=self.shown + other.shown,
            read=self.read + other.read,
            accepted=self.accepted + other.accepted,
            edited=self.edited + other.edited,
            rejected=_summed(self.rejected, other.rejected),
            disputed=_summed(self.disputed, other.disputed),
        )


def _summed(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {key: one.get(key, 0) + other.get(key, 0) for key in {**one, **other}}


NOTHING = Tally()


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleStatistics:
    """One rule, version by version."""

    rule: str
    versions: Mapping[int, Tally] = field(default_factory=dict)

    @property
    def total(self) -> Tally:
        """All versions together."""
        return reduce(add, self.versions.values(), NOTHING)

    def is_flagged(self, version: int) -> bool:
        """Whether this version is flagged; a revised rule begins anew."""
        return self.versions.get(version, NOTHING).is_flagged


def rule_statistics_for(curator: User, *, days: int | None = None) -> dict[str, RuleStatistics]:
    """Every rule that ever fired, by id, in one query; nothing for anybody but curators."""
    tallies = _tallied(_firings_for(curator, days=days), "rule", "rule_version")
    found: dict[str, dict[int, Tally]] = {}
    for (rule, version), tally in tallies.items():
        found.setdefault(rule, {})[version] = tally
    return {rule: RuleStatistics(rule=rule, versions=each) for rule, each in found.items()}


def takes_for(curator: User, *, days: int | None = None) -> int:
    """How many drafts the statistics rest on."""
    return _drafts_for(curator, days=days).count()


def _drafts_for(curator: User, *, days: int | None) -> QuerySet[Feedback]:
    """Drafts that count: of real takes, and not those that a newer analysis replaced unread."""
    if not curator.can_curate:
        return Feedback.objects.none()
    newer = Feedback.objects.filter(
        rehearsal=OuterRef("rehearsal"), version__gt=OuterRef("version")
    )
    drafts = Feedback.objects.filter(
        ~Q(state=Feedback.State.DRAFT) | ~Exists(newer), rehearsal__is_constructed=False
    )
    if days is not None:
        drafts = drafts.filter(created_at__gte=timezone.now() - timedelta(days=days))
    return drafts


def _firings_for(curator: User, *, days: int | None) -> QuerySet[Firing]:
    return Firing.objects.filter(feedback__in=_drafts_for(curator, days=days))


def _tallied(firings: QuerySet[Firing], *by: str) -> dict[tuple[Any, ...], Tally]:
    """One tally a group. The last decision that was not undone stands, as on the coach's desk.

    What became of a firing is worked out once in the database and only counted there; the few
    kinds of outcome are put together here.
    """
    standing = Verdict.objects.filter(item=OuterRef("item"), undone_at=None)
    last = standing.order_by("-at", "-pk")
    decided = firings.annotate(
        decision=Subquery(last.values(both=Concat("kind", Value(":"), "reason"))[:1]),
        reworded=Exists(standing.exclude(wording={})),
        said=F("item__disputes__reason"),
        chosen=F("item__is_chosen"),
    )
    rows = decided.values(*by, "decision", "reworded", "said", "chosen")
    found: dict[tuple[Any, ...], Tally] = {}
    for row in rows.annotate(count=Count("pk")).order_by(*by):
        group = tuple(row[name] for name in by)
        found[group] = found.get(group, NOTHING) + _tally(row)
    return found


def _tally(row: Mapping[str, Any]) -> Tally:
    """So many firings of which the same became."""
    count = row["count"]
    kind, _colon, reason = (row["decision"] or "").partition(":")
    is_rejected = kind == Verdict.Kind.REJECT
    is_kept = bool(kind) and not is_rejected
    return Tally(
        fired=count,
        shown=count if row["chosen"] else 0,
        read=count if row["chosen"] or is_kept or row["said"] else 0,
        accepted=count if is_kept and not row["reworded"] else 0,
        edited=count if is_kept and row["reworded"] else 0,
        rejected={reason: count} if is_rejected else {},
        disputed={row["said"]: count} if row["said"] else {},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A cohort, or the small ones and people without one together (then without a name)."""

    name: str
    people: int
    tally: Tally


def groups_for(curator: User, *, rule: str, days: int | None = None) -> tuple[Group, ...]:
    """What became of one rule in each cohort; nobody can be picked out.

    Cohorts of fewer than five people are put together with others until they are five; where all
    of them are fewer, there is no breakdown.
    """
    named, pooled = _large_enough(_people_for(curator, days=days))
    firings = _firings_for(curator, days=days).filter(rule=rule)
    tallies = {
        cohort: tally
        for (cohort,), tally in _tallied(firings, "feedback__rehearsal__cohort").items()
    }
    groups = [
        Group(name=each.name, people=len(each.people), tally=tallies.get(each.cohort, NOTHING))
        for each in named
    ]
    if pooled:
        together = (tallies.get(each.cohort, NOTHING) for each in pooled)
        groups.append(
            Group(name="", people=len(_together(pooled)), tally=reduce(add, together, NOTHING))
        )
    return tuple(groups) if len(groups) > 1 else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cohort:
    cohort: int | None
    name: str
    people: frozenset[int]


def _people_for(curator: User, *, days: int | None) -> list[_Cohort]:
    """Who has takes that count, by the cohort that the take was made in."""
    rows = _drafts_for(curator, days=days).values_list(
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
    """Cohorts to name, and those to put together so that no small one can be worked out."""
    by_size = sorted(cohorts, key=lambda each: (len(each.people), each.name))
    small = [each for each in by_size if each.cohort is None or len(each.people) < LEAST_PEOPLE]
    large = [each for each in by_size if each not in small]
    while small and large and len(_together(small)) < LEAST_PEOPLE:
        small.append(large.pop(0))
    if small and len(_together(small)) < LEAST_PEOPLE:
        return [], []
    return sorted(large, key=lambda each: each.name), small
