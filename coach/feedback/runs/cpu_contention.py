"""Sharing of a machine's cores between stages: by weight, up to what each can use."""

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
    """A computing stage: `use` is the most cores it can use, `claim` its weight against others."""

    use: float
    claim: float

    @classmethod
    def of(cls, name: str, queue: str, cores: int) -> Self:
        """Return a stage with its cores; the scheduler weighs each of its threads."""
        return cls(use=gain(name, cores), claim=cores * weight_of(queue))


def slowness(busy: Sequence[Busy], cores: float) -> list[float]:
    """Return the slowdown of each stage, by weighted max-min fairness.

    A stage that can use less than its share leaves the rest to the others.
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
    """Return the mean slowdown over a span of time.

    `beside` has the start and end of each stage that computed during it.
    """
    began, ended = span
    inside = [(max(start, began), min(end, ended), each) for start, end, each in beside]
    edges = sorted({began, ended, *(edge for start, end, _ in inside for edge in (start, end))})
    slowed = 0.0
    for first, last in pairwise([edge for edge in edges if began <= edge <= ended]):
        others = [each for start, end, each in inside if start <= first and last <= end]
        slowed += (last - first).total_seconds() * slowness([own, *others], cores)[0]
    seconds = (ended - began).total_seconds()
    return slowed / seconds if seconds > 0 else 1.0
