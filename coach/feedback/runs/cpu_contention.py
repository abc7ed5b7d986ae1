"""How stages share the cores of a machine: everybody by weight, nobody more than they can use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Self

from analysis.plan import gain
from coach.lib.work.queues import weight_of


@dataclass(frozen=True, slots=True)
class Busy:
    """One stage that computes: `use` cores' worth of work at most, `claim` beside others."""

    use: float
    claim: float

    @classmethod
    def of(cls, name: str, queue: str, cores: int) -> Self:
        """A stage with its cores; the scheduler weighs each of its threads."""
        return cls(use=gain(name, cores), claim=cores * weight_of(queue))


def slowness(busy: Sequence[Busy], cores: float) -> list[float]:
    """How many times as long as alone each takes: max-min fairness, by weight.

    Who can use less than their share leaves the rest to the others.
    """
    found = [1.0] * len(busy)
    if sum(each.use for each in busy) <= cores:
        return found
    left, claims = cores, sum(each.claim for each in busy)
    for index in sorted(range(len(busy)), key=lambda at: busy[at].use / busy[at].claim):
        each = busy[index]
        got = min(each.use, left * each.claim / claims)
        found[index] = each.use / got
        left, claims = left - got, claims - each.claim
    return found


def mean_slowness(
    span: tuple[datetime, datetime],
    own: Busy,
    beside: Sequence[tuple[datetime, datetime, Busy]],
    cores: float,
) -> float:
    """The same over a span of time; `beside`: begin and end of each that computed meanwhile."""
    began, ended = span
    inside = [(max(start, began), min(end, ended), each) for start, end, each in beside]
    edges = sorted({began, ended, *(edge for start, end, _ in inside for edge in (start, end))})
    slowed = 0.0
    for first, last in pairwise([edge for edge in edges if began <= edge <= ended]):
        others = [each for start, end, each in inside if start <= first and last <= end]
        slowed += (last - first).total_seconds() * slowness([own, *others], cores)[0]
    seconds = (ended - began).total_seconds()
    return slowed / seconds if seconds > 0 else 1.0
