"""Outcomes of a rule's findings: counts, shares with intervals, and sums."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import add

from coach.lib.words.shares import Share, share_of
from coach.review.rule_trials import ENOUGH_VERDICTS

LEAST_DECISIONS = ENOUGH_VERDICTS
LEAST_KEPT = 0.6
"""The share below which a rule is flagged: 60% kept over 30 decisions or more (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The outcomes of a rule's firings, or of one version's."""

    fired: int = 0
    shown: int = 0
    """Items chosen for a draft."""
    read: int = 0
    """Items shown to the trainee at once or released by a coach, which can be disputed."""
    accepted: int = 0
    """Items kept as written."""
    edited: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)
    """Rejected items by reason."""
    disputed: Mapping[str, int] = field(default_factory=dict)
    """Disputed items by the trainee's reason."""

    @property
    def decisions(self) -> int:
        """The number of items with a coach's decision, including rejected ones."""
        return self.accepted + self.edited + sum(self.rejected.values())

    @property
    def kept(self) -> Share | None:
        """The share of decided items that coaches accepted or reworded; None without decisions."""
        return share_of(self.accepted + self.edited, self.decisions)

    @property
    def disputes(self) -> Share | None:
        """The share of readable items that trainees disputed; None without any."""
        return share_of(sum(self.disputed.values()), self.read)

    @property
    def is_flagged(self) -> bool:
        """Whether coaches keep so few items that the rule needs a revision."""
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
    """The statistics of a rule, by version."""

    rule: str
    versions: Mapping[int, Tally] = field(default_factory=dict)

    @property
    def total(self) -> Tally:
        """The sum over all versions."""
        return reduce(add, self.versions.values(), NOTHING)

    def is_flagged(self, version: int) -> bool:
        """Return whether this version is flagged; each new version starts from zero."""
        return self.versions.get(version, NOTHING).is_flagged


@dataclass(frozen=True, slots=True, kw_only=True)
class CohortTally:
    """The tally of a cohort, or of all pooled cohorts and people without one (no name)."""

    name: str
    people: int
    tally: Tally
