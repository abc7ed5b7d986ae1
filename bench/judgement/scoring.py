"""Comparison of a draft with the planted fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.judgement.faults import BY_NAME, NO_FACE
from bench.judgement.rehearsal import ConstructedTalk
from feedback_rules.model import Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultResult:
    """Result of one constructed talk."""

    rehearsal: ConstructedTalk
    first: str | None
    """Rule of the first improvement."""
    improvements: tuple[str, ...]
    strength: str | None
    is_named_first: bool
    is_named: bool
    """Whether the fault is among the improvements or, without a face, under what could not be
    measured.
    """
    is_opposite: bool
    others_named: tuple[str, ...] = ()
    """Rules that name the fault and fired without being shown."""


def judged(rehearsal: ConstructedTalk, draft: Draft) -> FaultResult:
    """Compare one draft with the planted fault."""
    faults = [BY_NAME[name] for name in rehearsal.faults]
    naming = frozenset().union(*(fault.named_by for fault in faults))
    opposite = frozenset().union(*(fault.opposite for fault in faults))
    items = sorted((i for i in draft.items if i.tone == "improvement"), key=lambda i: i.rank or 0)
    improvements = tuple(item.rule for item in items)
    strength = next((item.rule for item in draft.items if item.tone == "strength"), None)
    fired = {finding.rule for finding in draft.findings if finding.fired}
    first = improvements[0] if improvements else None
    is_about_recording = rehearsal.faults == (NO_FACE.name,)
    is_first = bool(naming & fired) if is_about_recording else first in naming
    return FaultResult(
        rehearsal=rehearsal,
        first=first,
        improvements=improvements,
        strength=strength,
        is_named_first=is_first,
        is_named=is_first or all(fault.named_by & set(improvements) for fault in faults),
        is_opposite=strength in opposite,
        others_named=tuple(sorted((naming & fired) - set(improvements))),
    )


@dataclass(slots=True)
class ResultCounts:
    """Counts of one row."""

    talks: int = 0
    first: int = 0
    opposite: int = 0
    improved: int = 0
    """Number of talks with any improvement."""
    missed: list[FaultResult] = field(default_factory=list)

    def add(self, each: FaultResult) -> None:
        self.talks += 1
        self.first += each.is_named_first
        self.opposite += each.is_opposite
        self.improved += bool(each.improvements)
        is_wrong = each.improvements if each.rehearsal.is_clean else not each.is_named_first
        if is_wrong or each.is_opposite:
            self.missed.append(each)


def tally(rows: Sequence[FaultResult]) -> ResultCounts:
    """Count the results."""
    made = ResultCounts()
    for each in rows:
        made.add(each)
    return made
