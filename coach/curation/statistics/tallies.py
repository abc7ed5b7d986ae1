"""What became of a rule's findings as figures: shares with their intervals, and sums of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import add

from coach.lib.words.shares import Share, share_of
from coach.review.rule_trials import ENOUGH_VERDICTS

LEAST_DECISIONS = ENOUGH_VERDICTS
LEAST_KEPT = 0.6
"""Under 60% kept over 30 decisions or more, a rule is flagged for revision (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What became of what a rule, or one version of it, had to say."""

    fired: int = 0
    shown: int = 0
    """Chosen for a draft."""
    read: int = 0
    """Shown to its trainee at once, or released by a coach: what they could dispute."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CohortTally:
    """A cohort, or the small ones and people without one together (then without a name)."""

    name: str
    people: int
    tally: Tally
