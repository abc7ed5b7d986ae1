"""Computed number of cores that a school needs in the hour before a deadline."""

from __future__ import annotations

import heapq
import itertools
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analysis.plan import Costs, Shape, cost_of
from analysis.stage_roles import SIDE_BY_SIDE
from bench.load.figures import median_and_p95

SCHOOLS = (500, 50_000)
RUSH_SHARE = 0.2
"""Share of the people who submit a take within the hour (assumed)."""
RUSH_SECONDS = 3600.0
USUAL_MINUTES, SPREAD = 5.0, 0.5
"""Median and spread of a take's length, log-normal, within 1 and 30 minutes (assumed)."""
MOST_WAIT_SECONDS = 600.0
"""Longest wait for 95 of 100 takes (chosen)."""
PATIENCE = 10.0
"""Value of `coach.feedback.runs.fair_queue`, which only an installation can import."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreNeed:
    """Cores and waits of one school."""

    people: int
    takes: int
    core_hours: float
    cores: int
    median_wait: float
    p95_wait: float
    shares: dict[str, float]
    """Shares of the work, by stage."""


@dataclass(slots=True)
class _Take:
    arrives: float
    work: dict[str, float]
    left: int = len(SIDE_BY_SIDE)


def need(people: int, costs: Costs, shape: Callable[[float], Shape], *, seed: int) -> CoreNeed:
    """Return the fewest cores with which 95 of 100 takes wait at most ten minutes."""
    takes = _rush(people, costs, shape, seed)
    work = [sum(take.work.values()) for take in takes]
    # Less than a quarter of the hour's work is too little; twice of it is more than enough.
    low, high = max(int(sum(work) / RUSH_SECONDS / 4), 1), int(2 * sum(work) / RUSH_SECONDS) + 8
    while low < high:
        middle = (low + high) // 2
        if median_and_p95(_waits(takes, middle))[2] <= MOST_WAIT_SECONDS:
            high = middle
        else:
            low = middle + 1
    _count, middle_wait, p95 = median_and_p95(_waits(takes, low))
    by_stage: defaultdict[str, float] = defaultdict(float)
    for take in takes:
        for name, seconds in take.work.items():
            by_stage[name] += seconds
    return CoreNeed(
        people=people,
        takes=len(takes),
        core_hours=sum(work) / 3600,
        cores=low,
        median_wait=middle_wait,
        p95_wait=p95,
        shares={name: seconds / sum(work) for name, seconds in by_stage.items()},
    )


def _rush(people: int, costs: Costs, shape: Callable[[float], Shape], seed: int) -> list[_Take]:
    """Return takes that arrive increasingly often towards the deadline."""
    dice = random.Random(seed)  # noqa: S311
    takes = []
    for _person in range(round(RUSH_SHARE * people)):
        minutes = min(max(dice.lognormvariate(0, SPREAD) * USUAL_MINUTES, 1.0), 30.0)
        known = shape(60 * minutes)
        work = {
            name: cost_of(name, known, costs).processor_seconds(known.amount(name))
            for name in ("prepare", *SIDE_BY_SIDE, "assemble", "draft")
        }
        takes.append(_Take(RUSH_SECONDS * max(dice.random(), dice.random()), work))
    return takes


def _waits(takes: Sequence[_Take], cores: int) -> list[float]:
    """Return the wait of each take in seconds beyond its own longest chain; the earliest due is
    next.
    """
    for take in takes:
        take.left = len(SIDE_BY_SIDE)
    number = itertools.count()
    events = [(take.arrives, next(number), take, "") for take in takes]
    heapq.heapify(events)
    line: list[tuple[float, int, _Take, str]] = []
    free, waits = cores, []
    while events:
        now, _number, take, ended = heapq.heappop(events)
        free += bool(ended)
        for name in _ready(take, ended):
            due = now + PATIENCE * take.work[name]
            heapq.heappush(line, (due, next(number), take, name))
        if ended == "draft":
            path = sum(take.work.values()) - sum(take.work[name] for name in SIDE_BY_SIDE)
            path += max(take.work[name] for name in SIDE_BY_SIDE)
            waits.append(max(now - take.arrives - path, 0.0))
        while free and line:
            _due, _number, next_take, name = heapq.heappop(line)
            free -= 1
            heapq.heappush(events, (now + next_take.work[name], next(number), next_take, name))
    return waits


def _ready(take: _Take, ended: str) -> Sequence[str]:
    if not ended:
        return ("prepare",)
    if ended == "prepare":
        return SIDE_BY_SIDE
    if ended in SIDE_BY_SIDE:
        take.left -= 1
        return () if take.left else ("assemble",)
    return ("draft",) if ended == "assemble" else ()


def lines(costs: Costs, shape: Callable[[float], Shape], *, seed: int) -> list[str]:
    """Return the needs of schools as sentences."""
    told = [
        (
            f"computed, not observed: {RUSH_SHARE:.0%} of a school hand in one take of about "
            f"{USUAL_MINUTES:.0f} minutes within the hour before a deadline"
        )
    ]
    for people in SCHOOLS:
        found = need(people, costs, shape, seed=seed)
        most = sorted(found.shares.items(), key=lambda each: -each[1])[:3]
        shares = ", ".join(f"{name} {share:.0%}" for name, share in most)
        told.append(
            f"  {people} people: {found.takes} takes, {found.core_hours:.1f} core hours; "
            f"{found.cores} cores keep 95 of 100 waits under {MOST_WAIT_SECONDS / 60:.0f} minutes "
            f"(median {found.median_wait:.0f} s, p95 {found.p95_wait:.0f} s); {shares}"
        )
    return told
